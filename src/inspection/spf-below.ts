/**
 * The cost and the faults of a part of an SPF record's tree, how parts are joined, and the place at which a
 * fault is noted.
 */

import type { BrokenTerm, OwnFault, SpfFacts, SpfTrial } from '../analysis/spf/facts.ts';
import type { SpfTerm } from '../analysis/spf/parse.ts';
import type { SpfFault } from './spf-target.ts';

/** Macros whose values may differ for another email of the same domain. */
export const OF_SENDER = /[slihpv]/;

/**
 * The cost of a term or record with everything below it, in the worst case for any email of the domain, and
 * its faults.
 */
export interface Below
  extends Pick<SpfFacts, 'voidTerms' | 'brokenTerms' | 'wideTerms' | 'effectiveAll'>,
    Pick<SpfTrial, 'lookups' | 'tree'> {
  readonly ownFaults: readonly OwnFault[];
}

/** The position in the tree where a record is read. */
export interface SpfPosition {
  /** Domains of the records above this one, followed by its own. */
  readonly path: readonly string[];
  /**
   * Texts of the records on the path. A text that appears again, for example at names that macros generate,
   * is a loop.
   */
  readonly records: readonly string[];
  /** The sender's own term that leads here. Null if the record is the sender's own. */
  readonly top: string | null;
  /**
   * The deepest record of the sender's organization to which only such records lead, and its term that leads
   * here. The term is null if this is that record.
   */
  readonly own: { readonly name: string; readonly top: string | null };
  /** True if a pass here is a pass of the whole record. */
  readonly passing: boolean;
  /** Letters of the macros in the names that lead here. */
  readonly letters: string;
}

/** Returns whether a place is beyond a loop, where only lookups are counted. */
export const isAgain = ({ path, records }: SpfPosition): boolean =>
  new Set(path).size < path.length || new Set(records).size < records.length;

export const NONE: Below = {
  lookups: 0,
  tree: [],
  voidTerms: [],
  brokenTerms: [],
  wideTerms: [],
  ownFaults: [],
  effectiveAll: null,
};
export const UNKNOWN: Below = { ...NONE, effectiveAll: 'unknown' };

/** Joins consecutive results. The joined record ends as the last one does. */
export const join = (all: readonly Below[]): Below => ({
  lookups: all.reduce((sum, { lookups }) => sum + lookups, 0),
  tree: all.flatMap(({ tree }) => tree),
  voidTerms: all.flatMap(({ voidTerms }) => voidTerms),
  brokenTerms: all.flatMap(({ brokenTerms }) => brokenTerms),
  wideTerms: all.flatMap(({ wideTerms }) => wideTerms),
  ownFaults: all.flatMap(({ ownFaults }) => ownFaults),
  effectiveAll: all.at(-1)?.effectiveAll ?? null,
});

export function note({ text }: SpfTerm, at: SpfPosition, fault: SpfFault | null): Below {
  if (isAgain(at) || fault === null) return NONE;
  const top = at.top ?? text;
  const isOfSender = OF_SENDER.test(at.letters);
  if (fault.kind === 'void') {
    const { instead } = fault;
    const isOwn = !isOfSender && at.own.top === null;
    return {
      ...NONE,
      voidTerms: [{ term: text, top, isOfSender, instead }],
      ownFaults: isOwn ? ownFaultAt(at, { voids: [{ term: text, instead }] }) : [],
    };
  }
  const { cause } = fault;
  const brokenBy = (term: string): BrokenTerm =>
    term === text
      ? { term, why: fault.why, cause, isOfSender }
      : { term, why: `${text}: ${fault.why}`, cause, isOfSender, isNested: true };
  return {
    ...NONE,
    brokenTerms: [brokenBy(top)],
    ownFaults:
      isOfSender && cause !== 'loop'
        ? []
        : ownFaultAt(at, { broken: [brokenBy(at.own.top ?? text)] }),
  };
}

/** Returns a fault of the sender's other own record that leads here, or none if only the sender's does. */
export const ownFaultAt = (
  { path, own: { name } }: SpfPosition,
  fault: Partial<OwnFault>,
): readonly OwnFault[] => (name === path[0] ? [] : [{ ...ofText(name), ...fault }]);

/** Returns the fault of a record whose text is at fault. */
export const ofText = (name: string): OwnFault => ({ name, broken: [], wide: [], voids: [] });

export const broken = (cause: BrokenTerm['cause'], why: string): SpfFault => ({
  kind: 'broken',
  ...{ cause, why },
});
