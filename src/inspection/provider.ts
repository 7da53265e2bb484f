import type { ArcFacts, DkimFacts, DmarcFacts } from '../analysis/authentication-facts.ts';
import { isUndecided } from '../analysis/dkim/results.ts';
import type { LookupResult } from '../analysis/lookup-result.ts';
import type { Cloudflare } from '../domain/report/connection.ts';
import type { ProviderBlock } from '../ports/mail.ts';
import type { AuthenticationPart } from '../ports/reading.ts';
import type { Authenticated } from './verdicts.ts';

/** The provider's verdicts beside ours; null when no provider took the mail. */
export function toCloudflare(
  {
    block,
    authentication,
    authenticated,
  }: {
    readonly block: ProviderBlock | undefined;
    readonly authentication: AuthenticationPart;
    readonly authenticated: Authenticated;
  },
  dmarc: LookupResult<DmarcFacts>,
  arc: LookupResult<ArcFacts>,
): Cloudflare | null {
  if (!block) return null;
  const { report } = block;
  const { spf, dkim } = authenticated;
  const ours = {
    spf: decided(resultOf(spf)),
    dkim: dkim.status === 'known' ? ourDkim(dkim.value) : null,
    dmarc: decided(resultOf(dmarc)),
    arc: decided(resultOf(arc)),
  };
  const theirs = {
    spf: decided(report.spf?.result),
    dkim: report.dkim ? theirDkim(report.dkim) : null,
    dmarc: decided(report.dmarc?.result),
    arc: decided(report.arc),
  };
  return {
    ...report,
    // Without a seal of its own, the newest one is the sender's.
    seal_verified: block.sealed ? authentication.sealVerified : null,
    // What one of the two does not know is no difference.
    differs_from_ours: (['spf', 'dkim', 'dmarc', 'arc'] as const).filter(
      (method) =>
        ours[method] !== null && theirs[method] !== null && ours[method] !== theirs[method],
    ),
  };
}

const resultOf = (lookup: LookupResult<{ readonly report: { readonly result: string } }>) =>
  lookup.status === 'known' ? lookup.value.report.result : null;

const decided = (result: string | null | undefined): string | null =>
  result == null || result === 'temperror' ? null : result;

const PASS = 'pass';
const NO_PASS = 'none';

const ourDkim = ({ signatures }: DkimFacts): string | null => {
  if (signatures.some(({ report }) => report.result === 'pass')) return PASS;
  return signatures.some(isUndecided) ? null : NO_PASS;
};

const theirDkim = (signatures: readonly { readonly result: string }[]): string | null => {
  if (signatures.some(({ result }) => result === 'pass')) return PASS;
  return signatures.some(({ result }) => result === 'temperror') ? null : NO_PASS;
};
