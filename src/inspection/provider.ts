import type { ArcFacts } from '../analysis/arc/facts.ts';
import type { DkimFacts } from '../analysis/dkim/facts.ts';
import { isUndecided } from '../analysis/dkim/results.ts';
import type { DmarcFacts } from '../analysis/dmarc/facts.ts';
import type { Facts } from '../analysis/facts.ts';
import type { LookupResult } from '../analysis/lookup-result.ts';
import type { ProviderBlock } from '../ports/mail.ts';
import type { AuthenticationPart } from '../ports/reading.ts';
import type { Authenticated } from './verdicts.ts';

interface Inspected {
  readonly block: ProviderBlock | undefined;
  readonly authentication: AuthenticationPart;
  readonly authenticated: Authenticated;
}

/**
 * Returns the report's facts about an inbound provider, such as Cloudflare, with the verdicts in which it
 * differs from ours. Returns null if no provider received the email.
 */
export function compareWithProvider(
  { block, authentication, authenticated: { spf, dkim } }: Inspected,
  dmarc: LookupResult<DmarcFacts>,
  arc: LookupResult<ArcFacts>,
): Facts['provider'] {
  if (!block) return null;
  const { name, report, sealed } = block;
  const pairs = [
    ['spf', resultOf(spf), report.spf?.result],
    ['dkim', ourDkim(dkim), theirDkim(report.dkim)],
    ['dmarc', resultOf(dmarc), report.dmarc?.result],
    ['arc', resultOf(arc), report.arc],
  ] as const;
  return {
    name,
    ...report,
    // If the provider added no seal, the newest one belongs to the sender.
    seal_verified: sealed ? authentication.sealVerified : null,
    differs_from_ours: pairs.flatMap(([method, ours, theirs]) =>
      isDecided(ours) && isDecided(theirs) && ours !== theirs ? method : [],
    ),
  };
}

const resultOf = (lookup: LookupResult<{ readonly report: { readonly result: string } }>) =>
  lookup.status === 'known' ? lookup.value.report.result : null;

/** A difference counts only if both sides know the result. */
const isDecided = (result: string | null | undefined) => result != null && result !== 'temperror';

function ourDkim(dkim: LookupResult<DkimFacts>) {
  if (dkim.status !== 'known') return null;
  const { signatures } = dkim.value;
  if (signatures.some(({ report }) => report.result === 'pass')) return 'pass';
  return signatures.some(isUndecided) ? null : 'none';
}

function theirDkim(signatures: readonly { readonly result: string }[] | undefined) {
  if (signatures?.some(({ result }) => result === 'pass')) return 'pass';
  return !signatures || signatures.some(({ result }) => result === 'temperror') ? null : 'none';
}
