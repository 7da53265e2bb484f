/** Recognizes emails that falsely claim to come from a well-known mail program. */

import { sameOrganization } from '../names/domain-names.ts';
import { firstNamed, type HeaderBlock } from '../syntax/header-block.ts';

interface Marks {
  readonly mailer: string;
  /** Matches the name that the program writes into X-Mailer or User-Agent. */
  readonly claims: RegExp;
  /** Matches the part before the @ in every Message-ID that the program writes. */
  readonly messageId: RegExp;
  /** Matches every MIME boundary that the program writes. */
  readonly boundary: RegExp;
  /**
   * True if the program never leaves the Message-ID to a server. In an email with a single part, another form
   * of Message-ID at the sender's domain is then enough.
   */
  readonly writesEachId?: true;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * The Message-ID and boundary forms of programs that write all of their emails alike. Old and new versions
 * have equal weight, so an email is suspicious only if it matches none of the forms.
 */
const MARKS: readonly Marks[] = [
  {
    mailer: 'Microsoft Outlook',
    claims: /^Microsoft (?:Office )?Outlook(?: Express)?[ ,]/i,
    messageId: /^(?:[0-9a-f]{8}|[0-9a-f]{12})\$[0-9a-f]{8}\$[0-9a-f]{8}\$?$|^!|^[a-p]{28}\./i,
    // The second form is the one that Exchange writes for Outlook.
    boundary: /^(?:-{4}=_NextPart_|_\d{3}_)/,
    writesEachId: true,
  },
  {
    mailer: 'Apple Mail',
    claims: /^(?:Apple|iPhone|iPad) Mail \(/i,
    messageId: new RegExp(`^${UUID}$`, 'i'),
    boundary: /^Apple-Mail[-=]/,
  },
  {
    mailer: 'Mozilla Thunderbird',
    claims: /^(?:Mozilla )?Thunderbird\b/i,
    messageId: new RegExp(`^(?:${UUID}|[0-9a-f]{8}\\.\\d{1,8})$`, 'i'),
    boundary: /^-{12}[0-9A-Za-z]{20,40}$/,
  },
  {
    mailer: 'The Bat!',
    claims: /^The Bat!/i,
    messageId: /^\d{1,12}\.\d{14}$/,
    boundary: /^-{10}[0-9A-F]{8,32}$/i,
  },
];

/**
 * Returns whether the host in a Message-ID belongs to the domain in From. A service that sends for others
 * writes its own host.
 */
function isOfFrom(host: string, block: HeaderBlock): boolean {
  const from = /@([^<>@\s,]+)>?\s*$/.exec(firstNamed(block, 'from') ?? '')?.[1];
  return from !== undefined && sameOrganization(host.toLowerCase(), from.toLowerCase());
}

/**
 * Fields that mailing lists and forwarders add. Such services may also write a Message-ID or a boundary of
 * their own.
 */
const HANDED_ON = ['list-id', 'list-post', 'resent-from', 'x-forwarded-to', 'x-forwarded-for'];

const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;]+))/i;

/**
 * Returns the program that X-Mailer or User-Agent names, if neither the Message-ID nor the boundary has that
 * program's form. If only one of them differs, that says nothing: a relay adds a missing Message-ID, and a
 * filter wraps what it changes.
 */
export function findFalseMailer(block: HeaderBlock): string | null {
  const type = firstNamed(block, 'content-type') ?? '';
  // A bounce may repeat header fields of the email that it reports.
  if (HANDED_ON.some((name) => block.byName.has(name)) || /^multipart\/report\b/i.test(type))
    return null;
  const named = firstNamed(block, 'x-mailer') ?? firstNamed(block, 'user-agent');
  const marks = MARKS.find(({ claims }) => named !== null && claims.test(named));
  if (marks === undefined) return null;
  const [, id, host = ''] =
    /^<([^<>@\s]+)@([^<>@\s]+)>/.exec(firstNamed(block, 'message-id') ?? '') ?? [];
  const [, quoted, plain] = BOUNDARY.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (id === undefined || marks.messageId.test(id)) return null;
  if (boundary === undefined)
    return marks.writesEachId && isOfFrom(host, block) ? marks.mailer : null;
  return marks.boundary.test(boundary) ? null : marks.mailer;
}
