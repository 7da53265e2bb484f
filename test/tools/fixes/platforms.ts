import type { Facts } from '../../../src/analysis/facts.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import { PLATFORMS } from '../../../src/domain/platforms.ts';
import { facts, signed } from '../../support/mail/facts.ts';

export interface PlatformSetup {
  readonly name: string;
  readonly facts: Facts;
}

const failing = (domain: string) =>
  signed({
    report: { domain, result: 'permerror', reason: 'no_key', aligned: false, key: null },
    ofFromDomain: false,
  });

const domains = PLATFORMS.flatMap((platform) => platform.domains);

/** Mail through each domain of each platform: its envelope, and its signature, which does not verify. */
export const platformSetups: readonly PlatformSetup[] = domains.flatMap((domain) => {
  const envelope = `bounces.${domain}`;
  const dmarc = { value: { spfAligned: false, dkimAligned: false } };
  const spf = (result: 'softfail' | 'none') => ({
    value: {
      report: {
        domain: envelope,
        result,
        record: result === 'none' ? null : 'v=spf1 ip4:203.0.113.1 ~all',
        records: result === 'none' ? [] : ['v=spf1 ip4:203.0.113.1 ~all'],
      },
    },
  });
  const names = { envelopeDomain: envelope };
  const dkim = { value: { signatures: [failing(domain)] } };
  return [
    { name: `${domain}: SPF softfail`, facts: facts({ names, spf: spf('softfail'), dkim, dmarc }) },
    { name: `${domain}: no SPF`, facts: facts({ names, spf: spf('none'), dkim, dmarc }) },
  ];
});

/** DNS names outside the sender's organization that the actions of a report would change. */
export function judgePlatform({ facts: all }: PlatformSetup): readonly string[] {
  const { findings } = makeReport(all, '2026-11-20T12:00:02.000Z');
  return findings.flatMap(({ id, actions = [] }) =>
    actions.flatMap(({ kind, operation, type, name }) => {
      const isChange = kind === 'dns' && operation !== 'do' && type !== 'PTR' && name !== null;
      const isOwn = name === 'example.com' || name?.endsWith('.example.com');
      return isChange && !isOwn ? [`${id}: ${name}`] : [];
    }),
  );
}
