import { correctRecord, ROOMY_OCTETS, termsOf } from './correct.ts';
import { correctTerm } from './correct-term.ts';
import type { TermFault } from './facts.ts';
import { isValidTerm } from './grammar.ts';
import { isAll, isSpfRecord, parseSpf, type SpfTerm } from './parse.ts';

/** Faults of the published text, worst first; the domain is what a fix would name. */
export function lintSpf(record: string, domain: string, hasType99: boolean): TermFault[] {
  const terms = parseSpf(record);
  const faults = [...terms.flatMap(lintTerm), ...lintOrder(terms), ...lintRepeats(terms)];
  const octets = Buffer.byteLength(record);
  if (octets > ROOMY_OCTETS)
    faults.push(warn(lengthFault(octets), `v=spf1 include:_spf.${domain} -all`));
  if (isSpfRecord(record) && !record.startsWith('v=spf1'))
    faults.push(warn(record.slice(0, 'v=spf1'.length), 'v=spf1'));
  // RFC 7208 §3.1: type 99 is obsolete.
  if (hasType99) faults.push(warn(`the SPF (type 99) record of ${domain}`, 'TXT alone'));
  return faults.sort((a, b) => Number(a.severity === 'warn') - Number(b.severity === 'warn'));
}

const lengthFault = (octets: number): string =>
  `the length of the record (${octets} octets; from ${ROOMY_OCTETS} on an answer may not fit)`;

/** Whether a fault is of the length alone. */
export const isLengthFault = ({ bad }: TermFault): boolean => bad.startsWith('the length of ');

const fail = (bad: string, good: string): TermFault => ({ severity: 'fail', bad, good });
const warn = (bad: string, good: string): TermFault => ({ severity: 'warn', bad, good });

function lintTerm(term: SpfTerm): TermFault[] {
  const { text } = term;
  const meant = correctTerm(text);
  if (!isValidTerm(term)) return [fail(text, meant)];
  return meant === text ? [] : [warn(text, meant)];
}

/** RFC 7208 §5.1: mechanisms after `all` are never tested. */
function lintOrder(terms: readonly SpfTerm[]): TermFault[] {
  const all = terms.findIndex(isAll);
  if (all < 0) return [];
  const late = terms.slice(all + 1).filter(({ kind }) => kind !== 'modifier');
  const bad = [...terms.slice(all, all + 1), ...late].map(({ text }) => text).join(' ');
  return late.length === 0 ? [] : [fail(bad, termsOf(correctRecord(bad)).join(' '))];
}

/** RFC 7208 §6: `redirect=` and `exp=` stand once at most. */
const lintRepeats = (terms: readonly SpfTerm[]): TermFault[] =>
  ['redirect', 'exp'].flatMap((name) => {
    const [first, ...more] = terms.filter((term) => term.kind === 'modifier' && term.name === name);
    const texts = [first, ...more].map((term) => term?.text).join(' ');
    return first && more.length > 0 ? [fail(texts, first.text)] : [];
  });
