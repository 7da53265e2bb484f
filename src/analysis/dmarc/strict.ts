import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { isUnder } from '../names/domain-names.ts';

/** What passed for the organization and is not aligned, as the record asks for the very same name. */
export interface StrictMiss {
  readonly tag: 'adkim' | 'aspf';
  readonly domain: string;
}

/** RFC 9989 §4.4: with `adkim=s` or `aspf=s` only the From domain itself is aligned. */
export function strictMisses({
  spf,
  dkim,
  dmarc,
}: Pick<Facts, 'spf' | 'dkim' | 'dmarc'>): readonly StrictMiss[] {
  const { spfAligned, dkimAligned, report } = ifKnown(dmarc) ?? {};
  const { adkim, aspf, organizational_domain: own } = report ?? {};
  if (!own) return [];
  const { result, domain = '' } = ifKnown(spf)?.report ?? {};
  const signed = ifKnown(dkim)?.signatures.find(
    (one) => one.report.result === 'pass' && isUnder(one.report.domain, own),
  );
  return [
    ...(adkim === 's' && !dkimAligned && signed
      ? [{ tag: 'adkim' as const, domain: signed.report.domain }]
      : []),
    ...(aspf === 's' && !spfAligned && result === 'pass' && isUnder(domain, own)
      ? [{ tag: 'aspf' as const, domain }]
      : []),
  ];
}
