/**
 * Corrects the records of the sender's organization to which the sender's SPF record leads, and evaluates the
 * record as if they were published.
 */

import { type Answer, textsOf } from '../analysis/dns-answer.ts';
import { intendedRecord, joinStrings, looksLikeSpf } from '../analysis/spf/correct.ts';
import type { OwnFault, SpfRepair } from '../analysis/spf/facts.ts';
import { isSpfRecord, MAX_VOID_LOOKUPS } from '../analysis/spf/parse.ts';
import { isSound } from '../analysis/spf/read-term.ts';
import { repairRecord } from '../analysis/spf/repairs.ts';
import type { DnsAnswer } from '../ports/dns.ts';
import { ofText } from './spf-below.ts';
import { evaluateSpf, type SpfEvaluation } from './spf-record.ts';
import { type SpfAbout, withRepairs } from './spf-target.ts';

/** The texts that a name publishes as its SPF record. */
export interface PublishedSpf {
  readonly records: readonly string[];
  /** The only record. Null unless there is exactly one. */
  readonly record: string | null;
  /** The record with the spaces that its strings lack. Undefined if none is missing. */
  readonly spaced: string | undefined;
  /** A text that was meant as a record, if no text is one. */
  readonly lookalike: string | undefined;
}

/**
 * Reads what a name publishes as its SPF record.
 * @param dead terms that lead nowhere, so that two terms may have been joined by mistake
 */
export function readPublished(
  txt: Answer<readonly string[]>,
  dead: ReadonlySet<string>,
): PublishedSpf {
  const records = textsOf(txt).filter(isSpfRecord);
  const record = records.length === 1 ? (records[0] ?? null) : null;
  return {
    records,
    record,
    spaced: record === null ? undefined : spacedRecord(txt, record, dead),
    lookalike: records.length > 0 ? undefined : textsOf(txt).find(looksLikeSpf),
  };
}

/**
 * Returns the record with the spaces that are missing between its strings, or `undefined` if none are
 * missing.
 */
function spacedRecord(
  txt: Answer<readonly string[]>,
  record: string,
  dead: ReadonlySet<string>,
): string | undefined {
  const strings = txt.status === 'found' ? txt.records.find((one) => one.join('') === record) : [];
  const spaced = joinStrings(strings ?? [], (term) => !isSound(term) || dead.has(term));
  return strings && strings.length > 1 && spaced !== record ? spaced : undefined;
}

/** Maximum number of evaluations. Each may show faults that the corrected records uncover. */
const MAX_ROUNDS = 3;

/**
 * Corrects the sender's other own records below a record until no new fault appears, and returns them with
 * the evaluation as if they were published.
 */
export async function repairOwn(
  about: SpfAbout,
  record: string | undefined,
  first: SpfEvaluation,
): Promise<{
  readonly repairs: readonly SpfRepair[];
  readonly evaluation: SpfEvaluation;
  /** The terms of all evaluations that let nearly every server pass. */
  readonly wideToday: SpfEvaluation['wideTerms'];
}> {
  const wide = new Map<string, SpfEvaluation['wideTerms'][number]>();
  const faults = new Map<string, OwnFault>();
  let repairs: readonly SpfRepair[] = [];
  let evaluation = first;
  for (let round = 0; round < MAX_ROUNDS && addNew(faults, faultsOf(evaluation)); round += 1) {
    const all = await Promise.all([...faults.values()].map((fault) => repair(about, fault)));
    repairs = all.filter(({ published, record: text }) => !published.includes(text));
    for (const place of evaluation.wideTerms) wide.set(`${place.top} ${place.term}`, place);
    evaluation = await evaluateSpf(withRepairs(about, repairs), record);
  }
  for (const place of evaluation.wideTerms) wide.set(`${place.top} ${place.term}`, place);
  return { repairs, evaluation, wideToday: [...wide.values()] };
}

/**
 * Returns the faults of the sender's other own records. Void terms count only if there are too many of them.
 * Terms that could be replaced by addresses stay as long as others can be removed.
 */
function faultsOf({ ownFaults, voidTerms }: SpfEvaluation): readonly OwnFault[] {
  const all = ownFaults.flatMap(({ voids }) => voids);
  const dead = all.filter(({ instead }) => instead.length === 0);
  const counted = voidTerms.length <= MAX_VOID_LOOKUPS ? [] : dead.length > 0 ? dead : all;
  return ownFaults
    .map((one) => ({ ...one, voids: one.voids.filter((term) => counted.includes(term)) }))
    .filter((one, at) => one.voids.length > 0 || ownFaults[at]?.voids.length === 0);
}

/** Adds faults to those known by name, and returns whether any of them was new. */
function addNew(faults: Map<string, OwnFault>, found: readonly OwnFault[]): boolean {
  let isNew = false;
  for (const { name, broken, wide, voids } of found) {
    const known = faults.get(name) ?? ofText(name);
    const added = {
      broken: broken.filter((one) => known.broken.every(({ term }) => term !== one.term)),
      wide: wide.filter((one) => known.wide.every(({ term }) => term !== one.term)),
      voids: voids.filter((one) => known.voids.every(({ term }) => term !== one.term)),
    };
    isNew ||= !faults.has(name) || Object.values(added).some(({ length }) => length > 0);
    faults.set(name, {
      name,
      broken: [...known.broken, ...added.broken],
      wide: [...known.wide, ...added.wide],
      voids: [...known.voids, ...added.voids],
    });
  }
  return isNew;
}

async function repair({ ask }: SpfAbout, fault: OwnFault): Promise<SpfRepair> {
  const txt = (await ask(fault.name, 'TXT')) as DnsAnswer<readonly string[]>;
  const dead = new Set(fault.broken.map(({ term }) => term));
  const { records, spaced, lookalike } = readPublished(txt, dead);
  const published = records.length === 0 && lookalike !== undefined ? [lookalike] : records;
  const intended = intendedRecord(fault.name, { records, spaced, lookalike }) ?? 'v=spf1';
  return { ...fault, published, spaced, record: repairRecord(intended, fault) };
}
