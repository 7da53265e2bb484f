import ipaddr from 'ipaddr.js';
import type { TermFault } from '../facts.ts';
import { isAll, isSpfRecord, parseSpf, type SpfTerm } from './spf.ts';

/** Octets: with the question and other TXT a longer record no longer fits 512 (RFC 7208 §3.4). */
const ROOMY_OCTETS = 450;

const QUOTES = /["“”„‟‘’‚‛«»]/g;

/** Faults of the published text, worst first; the domain tells what a repair would name. */
export function lintSpf(record: string, domain: string, hasType99: boolean): TermFault[] {
  const terms = parseSpf(record);
  const faults = [...terms.flatMap(lintTerm), ...lintOrder(terms)];
  if (Buffer.byteLength(record) > ROOMY_OCTETS)
    faults.push(warn(record, `v=spf1 include:_spf.${domain} -all`));
  if (isSpfRecord(record) && !record.startsWith('v=spf1'))
    faults.push(warn(record.slice(0, 'v=spf1'.length), 'v=spf1'));
  // RFC 7208 §3.1: type 99 is obsolete.
  if (hasType99) faults.push(warn(`the SPF (type 99) record of ${domain}`, 'TXT alone'));
  return faults.sort((a, b) => Number(a.severity === 'warn') - Number(b.severity === 'warn'));
}

const fail = (bad: string, good: string): TermFault => ({ severity: 'fail', bad, good });
const warn = (bad: string, good: string): TermFault => ({ severity: 'warn', bad, good });

function lintTerm(term: SpfTerm): TermFault[] {
  const { text, kind, name, value } = term;
  const plain = text.replace(QUOTES, '');
  if (plain !== text) return [fail(text, plain)];
  if (kind === 'unknown') return [fail(text, mendUnknown(term))];
  if (name === 'ip4' || name === 'ip6') return lintNetwork(term);
  if ((name === 'include' || name === 'exists' || name === 'redirect') && value === '')
    return [fail(text, '')];
  if (name === 'all' && value !== '') return [fail(text, `${term.qualifier}all`)];
  // RFC 7208 §5.5: ptr SHOULD NOT be published.
  if (name === 'ptr') return [warn(text, 'a')];
  return [];
}

/** What was most likely meant; empty: take the term away. */
function mendUnknown({ text, name, value }: SpfTerm): string {
  const sign = /^[+\-~?]/.exec(text)?.[0] ?? '';
  if (/^ip(v?[46])?$/.test(name) && value) return `${sign}${familyOf(value)}:${value}`;
  if (/^(?:inc|inl)[a-z]*$/.test(name) && value) return `${sign}include:${value}`;
  if (/^(?:mx|a|ptr|exists|include|ip4|ip6)$/.test(name) && text.includes('='))
    return text.replace('=', ':');
  const address = text.replace(/^[+\-~?]/, '');
  return ipaddr.isValid(address.replace(/\/\d+$/, '')) ? `${familyOf(address)}:${address}` : '';
}

const familyOf = (value: string) => (value.includes(':') ? 'ip6' : 'ip4');

function lintNetwork({ text, name, value }: SpfTerm): TermFault[] {
  const [address = '', prefix] = value.split('/', 2);
  const right = name === 'ip4' ? isIpv4(address) : isIpv6(address);
  const bits = name === 'ip4' ? 32 : 128;
  const prefixOk = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (right && prefixOk) return [];
  if (right) return [fail(text, text.replace(/\/.*$/s, ''))];
  const other = name === 'ip4' ? isIpv6(address) : isIpv4(address);
  return [fail(text, other ? text.replace(/ip[46]:/i, `${familyOf(value)}:`) : '')];
}

const isIpv4 = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text);
const isIpv6 = (text: string) => ipaddr.IPv6.isValid(text) && text.includes(':');

/** RFC 7208 §5.1: mechanisms after `all` are never tested. */
function lintOrder(terms: readonly SpfTerm[]): TermFault[] {
  const all = terms.findIndex(isAll);
  if (all < 0) return [];
  const late = terms.slice(all + 1).filter(({ kind }) => kind !== 'modifier');
  const end = terms[all]?.text ?? '';
  const texts = late.filter((term) => !isAll(term)).map(({ text }) => text);
  return late.length === 0
    ? []
    : [fail([end, ...late.map(({ text }) => text)].join(' '), [...texts, end].join(' '))];
}
