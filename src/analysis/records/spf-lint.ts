import type { TermFault } from '../facts.ts';
import { ROOMY_OCTETS } from './correct-spf.ts';
import {
  isAll,
  isMechanism,
  isQuerying,
  isSpfRecord,
  parseSpf,
  type SpfTerm,
  specOf,
} from './spf.ts';
import { isValidTerm } from './spf-grammar.ts';
import { lettersOf } from './spf-macro.ts';

const QUOTES = /["“”„‟‘’‚‛«»]/g;

/** Faults of the published text, worst first; the domain tells what a repair would name. */
export function lintSpf(record: string, domain: string, hasType99: boolean): TermFault[] {
  const terms = parseSpf(record);
  const faults = [...terms.flatMap(lintTerm), ...lintOrder(terms), ...lintRepeats(terms)];
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
  const { text, kind, name } = term;
  if (!isValidTerm(term)) return [fail(text, mendTerm(term))];
  // RFC 7208 §5.5, §7.3: ptr SHOULD NOT be published, and no %{p}.
  if (kind === 'mechanism' && name === 'ptr') return [warn(text, 'a')];
  if (isReverse(term)) return [warn(text, '')];
  // RFC 7208 §6: with = for : it is a modifier nobody knows, and is ignored.
  if (kind === 'modifier' && isMechanism(name)) return [warn(text, text.replace('=', ':'))];
  return [];
}

/** Whether a term asks for the names of the sending IP. */
export const isReverse = (term: SpfTerm): boolean =>
  (isQuerying(term) || term.name === 'exp') &&
  (term.name === 'ptr' || lettersOf(specOf(term)).includes('p'));

/** What was most likely meant; empty: take the term away. */
function mendTerm(term: SpfTerm): string {
  const { text, name } = term;
  const plain = text.replace(QUOTES, '');
  const ascii = plain.replace(/[^\x21-\x7e]+/g, ' ').trim();
  const all = /^([+\-~?]?)all\b/i.exec(plain);
  const guesses = [
    ...(ascii !== text ? [plain, ascii] : []),
    ...(all ? [`${all[1] || '-'}all`] : []),
    ...(term.kind === 'unknown' ? guessName(term) : []),
    ...(name === 'ip4' || name === 'ip6' ? guessNetwork(term) : guessDomain(term)),
  ];
  return guesses.find(isValid) ?? '';
}

const isValid = (text: string): boolean => {
  const terms = parseSpf(`v=spf1 ${text}`);
  return terms.length > 0 && terms.every(isValidTerm);
};

function guessName({ text, name, value }: SpfTerm): string[] {
  const sign = signOf(text);
  const address = text.replace(SIGN, '');
  return [
    ...(/^ip(v?[46])?$/.test(name) ? [`${sign}${familyOf(value)}:${value}`] : []),
    ...(/^(?:inc|inl)[a-z]*$/.test(name) ? [`${sign}include:${value}`] : []),
    ...(isMechanism(name) ? [text.replace('=', ':')] : []),
    `${familyOf(address)}:${address}`,
  ];
}

const SIGN = /^[+\-~?]/;
const signOf = (text: string) => SIGN.exec(text)?.[0] ?? '';
const familyOf = (value: string) => (value.includes(':') ? 'ip6' : 'ip4');

/** The other family, or without what is no prefix length. */
const guessNetwork = ({ text, value }: SpfTerm): string[] => [
  text.replace(/\/.*$/s, ''),
  text.replace(/ip[46]:/i, `${familyOf(value)}:`),
];

/** An address where a name belongs; a URL or a port; a prefix length that is none. */
function guessDomain({ text, kind, name, value }: SpfTerm): string[] {
  const head = `${signOf(text)}${name}`;
  const bare = value.replace(/^[a-z]+:\/\//i, '');
  const hosts = [bare.replace(/\/.*$/s, ''), bare.replace(/[/:].*$/s, '')];
  const named = hosts
    .map(withoutEnding)
    .map((host) => (host === '' ? head : `${head}${kind === 'modifier' ? '=' : ':'}${host}`));
  return [`${signOf(text)}${familyOf(bare)}:${bare}`, ...named];
}

/** Without the marks of a sentence. By hand: a pattern would look at each run of dots anew. */
function withoutEnding(host: string): string {
  let end = host.length;
  while (/[.,;]/.test(host[end - 1] ?? '')) end -= 1;
  return host.slice(0, end);
}

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

/** RFC 7208 §6: `redirect=` and `exp=` stand once at most. */
const lintRepeats = (terms: readonly SpfTerm[]): TermFault[] =>
  ['redirect', 'exp'].flatMap((name) => {
    const [first, ...more] = terms.filter((term) => term.kind === 'modifier' && term.name === name);
    const texts = [first, ...more].map((term) => term?.text).join(' ');
    return first && more.length > 0 ? [fail(texts, first.text)] : [];
  });
