import type { ArcFacts } from '../analysis/arc/facts.ts';
import { known, type LookupResult } from '../analysis/lookup-result.ts';
import { type HeaderScan, MAX_ARC_SETS } from '../analysis/mail/scan-headers.ts';
import type { ProviderBlock } from '../ports/mail.ts';
import type { AuthenticationPart } from '../ports/reading.ts';

/** The sender's chain, without the provider's own set. */
export function toArc(
  { arcSets }: HeaderScan,
  { arc }: AuthenticationPart,
  block: ProviderBlock | undefined,
): LookupResult<ArcFacts> {
  if (arcSets > MAX_ARC_SETS)
    return known({
      report: { result: 'fail', sets: arcSets },
      sealer: null,
      fault: `more than ${MAX_ARC_SETS} sets`,
    });
  if (arcSets === 0) {
    const none: ArcFacts = { report: { result: 'none', sets: 0 }, sealer: null, fault: null };
    return known(excludeProvider(none, block));
  }
  return arc.status === 'known'
    ? known(excludeProvider(withAllSets(arc.value, arcSets), block))
    : arc;
}

/** Of a malformed chain the verifier gives no sets; the mail has them all the same. */
const withAllSets = (arc: ArcFacts, sets: number): ArcFacts => ({
  ...arc,
  report: { ...arc.report, sets: Math.max(arc.report.sets, sets) },
});

const excludeProvider = (arc: ArcFacts, block: ProviderBlock | undefined): ArcFacts =>
  block?.report.block_headers.includes('arc-seal')
    ? { ...arc, report: { ...arc.report, provider_set_excluded: true } }
    : arc;
