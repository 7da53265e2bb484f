import { isFreemail, organizationalDomain, sameOrganization } from '../names/domain-names.ts';
import { wordSet } from '../syntax/words.ts';
import { brandsAt } from './brands.ts';
import { toLatin } from './letters.ts';

/** What the notice is read from. */
interface MailboxClaims {
  readonly fromDomain: string | null;
  readonly displayName: string;
  /** In lower case and on one line. */
  readonly text: string;
  readonly linkHosts: readonly string[];
}

/** A mailbox that is full, a password that ends, mail that is held back: in the words of its administrator. */
const THREATS = new RegExp(
  [
    String.raw`(?:mailbox|e-?mail (?:account|box|storage|quota)|webmail|inbox|storage) .{0,60}(?:\bfull\b|\d+ ?%|quota|exceed|limit|suspend|deactivat|disabl|clos(?:ed|ure)|upgrad|verif|validat|blocked)`,
    String.raw`(?:your|the) (?:\S+ )?password .{0,30}(?:expire|will end|must be changed|is due)`,
    '(?:e-?mails?|messages?) (?:are|were|have been) (?:held|quarantined|blocked)',
    '(?:incoming|pending|undelivered|quarantined|held) (?:e-?mails?|messages?) .{0,60}(?:release|review|held|pending|reject|recover|could not)',
    String.raw`(?:postfach|e-?mail-?(?:konto|speicher)) .{0,60}(?:voll|\d+ ?%|gesperrt|überschritten|deaktiviert|bestätigen)`,
    String.raw`(?:bo[iî]te (?:aux lettres|de réception|mail)|messagerie|webmail) .{0,60}(?:pleine|saturée|\d+ ?%|suspendu|désactivé|expire|quota)`,
    String.raw`(?:buz[oó]n|bandeja|cuenta de correo) .{0,60}(?:llen[oa]|\d+ ?%|suspendid|desactivad|caduca|cuota|límite)`,
    String.raw`(?:casella (?:di posta|e-?mail|postale)) .{0,60}(?:piena|\d+ ?%|sospes|disattivat|scade|quota)`,
    String.raw`(?:caixa (?:de correio|postal|de e-?mail)) .{0,60}(?:cheia|\d+ ?%|suspens|desativad|expira|cota)`,
  ].join('|'),
  'u',
);

/** What a mail system and its people are called; a company has a name besides. */
const ROLES = wordSet(
  '2fa account accounts admin administration administrator administrators authenticator bank benefits center ' +
    'centre cloud company cpanel department desk docs document documents domain e efax email emails employee ' +
    'expiry fax gehalt help helpdesk hr human ict inbox info information it login lohn mail mailbox mailer ' +
    'mailserver manager message messages messaging mfa migration network notice notification notifications ' +
    'notify office online outlook password payroll personalabteilung portal post postmaster protection ' +
    'quarantine quota refund refunds registry renew renewal reply resources roundcube secure security server ' +
    'service servicedesk services settings signin storage support system systems team technical tenant und ' +
    'update updates upgrade user users validate validation verification verify view voice voicemail web ' +
    'webaccess webadmin webmail webmaster your',
);

const wordsOf = (text: string): readonly string[] => toLatin(text).match(/\p{L}+/gu) ?? [];

/** A role, or two written as one word. */
const isRole = (word: string): boolean =>
  ROLES.has(word) ||
  [...word].some((_, at) => ROLES.has(word.slice(0, at)) && ROLES.has(word.slice(at)));

const isOfRoles = (words: readonly string[], atLeast: number): boolean =>
  words.length >= atLeast && words.every(isRole);

const labelWords = (host: string): readonly string[] =>
  (organizationalDomain(host).split('.', 1)[0] ?? '').split('-');

const isNameless = (displayName: string): boolean => isOfRoles(wordsOf(displayName), 1);

/**
 * Whether a mail is from nobody by name: a domain made of words of offices alone, or links to one, or an
 * office without a name at a free mail provider.
 */
export const isNobody = ({
  fromDomain,
  displayName,
  linkHosts,
}: Omit<MailboxClaims, 'text'>): boolean =>
  fromDomain !== null &&
  ([fromDomain, ...linkHosts].some((host) => isOfRoles(labelWords(host), 2)) ||
    (isNameless(displayName) && isFreemail(fromDomain)));

/**
 * Whether a mail speaks as the reader's own mail system and is from nobody who could be it: nobody by name,
 * or an office without a name whose links all lead to somebody else. A provider that writes under its own
 * name is not meant.
 */
export function speaksAsMailSystem(claims: MailboxClaims): boolean {
  const { fromDomain, displayName, text, linkHosts } = claims;
  if (fromDomain === null || !THREATS.test(text)) return false;
  const leadsAway =
    linkHosts.length > 0 &&
    // Many an office sends its readers to Microsoft or Google for a password.
    linkHosts.every((host) => !sameOrganization(host, fromDomain) && brandsAt(host).length === 0);
  return isNobody({ ...claims, linkHosts: [] }) || (isNameless(displayName) && leadsAway);
}
