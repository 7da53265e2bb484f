import type { ArcFacts, DmarcFacts, Looked } from '../../analysis/facts.ts';
import type { Cloudflare } from '../../domain/report/connection.ts';
import type { AuthenticationPart, ProviderBlock } from '../../ports.ts';
import type { Authenticated } from './verdicts.ts';

/** The provider's verdicts beside ours; null when no provider took the mail. */
export function toCloudflare(
  {
    block,
    authentication,
    authenticated,
  }: {
    readonly block: ProviderBlock | undefined;
    readonly authentication: AuthenticationPart | null;
    readonly authenticated: Authenticated;
  },
  dmarc: Looked<DmarcFacts>,
  arc: Looked<ArcFacts>,
): Cloudflare | null {
  if (!block) return null;
  const { report } = block;
  const { spf, dkim } = authenticated;
  const ours = {
    spf: spf.status === 'known' ? spf.value.report.result : null,
    dkim: dkim.status === 'known' ? anyPass(dkim.value.signatures.map((one) => one.report)) : null,
    dmarc: dmarc.status === 'known' ? dmarc.value.report.result : null,
    arc: arc.status === 'known' ? arc.value.report.result : null,
  };
  const theirs = {
    spf: report.spf?.result ?? null,
    dkim: report.dkim ? anyPass(report.dkim) : null,
    dmarc: report.dmarc?.result ?? null,
    arc: report.arc ?? null,
  };
  return {
    ...report,
    seal_verified: authentication?.sealVerified ?? null,
    // What one of the two does not know is no difference.
    differs_from_ours: (['spf', 'dkim', 'dmarc', 'arc'] as const).filter(
      (method) =>
        ours[method] !== null && theirs[method] !== null && ours[method] !== theirs[method],
    ),
  };
}

const anyPass = (signatures: readonly { readonly result: string }[]): string =>
  signatures.some(({ result }) => result === 'pass') ? 'pass' : 'none';
