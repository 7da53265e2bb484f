import { defineCheck } from '../define-check.ts';
import type { Facts } from '../facts.ts';

const domainOf = ({ transport, names }: Facts) => transport.report.domain ?? names.fromDomain;

const values = (_: unknown, facts: Facts) => ({ domain: domainOf(facts) ?? 'YOUR.DOMAIN' });

const detail = ({ state, fault }: { state: string; fault: string | null }) =>
  fault ? `${fault}.` : `State: ${state}.`;

export const mtaSts = defineCheck({
  id: 'mta_sts',
  subject: (facts) => (domainOf(facts) === null ? undefined : facts.transport.mtaSts),
  ladder: [
    ['warn', ({ state }) => state === 'broken'],
    ['info', ({ state }) => state !== 'enforce'],
  ],
  detail,
  values,
});

export const tlsRpt = defineCheck({
  id: 'tls_rpt',
  subject: (facts) => (domainOf(facts) === null ? undefined : facts.transport.tlsRpt),
  ladder: [
    ['warn', ({ state }) => state === 'broken'],
    ['info', ({ state }) => state === 'absent'],
  ],
  detail,
  values,
});
