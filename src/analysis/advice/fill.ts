import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { isPublicDomain, isPublicHost } from '../names/host-name.ts';
import { confirmedName, mailHost } from '../names/mail-host.ts';
import { publicIp } from '../names/sending-ip.ts';

/** What stands for the braces of a fix, by name. */
export type Values = Readonly<Record<string, string | number>>;

/** Longest value of a brace, in characters: ten records that fit an answer, and their names. */
const MAX_VALUE = 8000;

/**
 * The template with its braces filled, in one pass: a record may hold braces of its own (SPF
 * macros). A name without a value becomes a word in capitals, for the sender to supply. A value that
 * is too long is left out as a whole: half a record is no record.
 */
export const fill = (template: string, values: Values): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(Object.hasOwn(values, name) ? values[name] : name.toUpperCase());
    return value.length > MAX_VALUE ? `(${value.length} characters, too long to print)` : value;
  });

/** A From domain that somebody can publish at. */
export const publicFrom = ({ names: { fromDomain } }: Facts): string | null =>
  fromDomain !== null && isPublicDomain(fromDomain) ? fromDomain : null;

/** The type of record that holds an address. */
const recordType = (ip: string | null): string => (ip?.includes(':') ? 'AAAA' : 'A');

const common = new WeakMap<Facts, Values>();

/** The names that most fixes speak of, found once for all checks of a mail. */
export function commonValues(facts: Facts): Values {
  const known = common.get(facts);
  if (known) return known;
  const values = findCommonValues(facts);
  common.set(facts, values);
  return values;
}

function findCommonValues(facts: Facts): Values {
  const { names, connection, spf, dmarc, headers } = facts;
  const from = names.fromDomain ?? 'your domain';
  const organization = names.fromOrganizationalDomain ?? from;
  const { adkim, aspf } = ifKnown(dmarc)?.report ?? {};
  const said = names.helo?.replace(/\.$/, '') ?? '';
  const own = isPublicHost(said) ? said : null;
  const host = mailHost(facts).name;
  const helo = own ?? host;
  const confirmed = ifKnown(connection.forward)?.confirmedNames ?? [];
  const ptr = confirmedName(facts) ?? confirmed[0] ?? ifKnown(connection.ptr)?.find(isPublicHost);

  return {
    from_domain: from,
    sender_domain: publicFrom(facts) ?? 'your domain',
    from_org_domain: organization,
    org_domain: organization,
    domain: from,
    // RFC 9989 §4.7: a record may ask for the From domain itself. For freemail nobody else can sign.
    signing_domain: ifKnown(headers)?.from.freemail
      ? names.envelopeDomain
      : adkim === 's'
        ? from
        : organization,
    return_path: aspf === 's' ? `at ${from} itself` : `under ${organization}`,
    envelope_domain: ifKnown(spf)?.report.domain || names.envelopeDomain || from,
    helo,
    ptr: ptr ?? host,
    mail_host: host,
    record_type: recordType(names.ip),
    ip: publicIp(names.ip) ?? 'your public IP address',
  };
}
