import type { Facts, GateFacts } from '../../../src/analysis/facts.ts';
import { unknown } from '../../../src/analysis/lookup-result.ts';
import type { Inspect } from '../../../src/ports/mail.ts';

const NOT_ASKED = unknown('fuzz: nothing was looked up');

/** Of a mail that is taken, since nothing speaks against it. */
const TAKEN: GateFacts = {
  spf: NOT_ASKED,
  dkim: NOT_ASKED,
  dmarc: NOT_ASKED,
  blocklists: [],
  ip: null,
  headerFromDomain: null,
  resolverDown: false,
};

const REFUSED: GateFacts = {
  ...TAKEN,
  blocklists: [{ list: 'bl.example', status: 'listed', codes: ['127.0.0.2'], removal_url: null }],
};

/** The facts of a mail of which nothing is known. */
const factsOf = (testId: string, arrival: Pick<Facts, 'receivedAt' | 'expiresAt'>): Facts => ({
  testId,
  ...arrival,
  sizeBytes: 0,
  names: {
    fromDomain: null,
    fromOrganizationalDomain: null,
    envelopeDomain: '',
    nullSender: false,
    helo: null,
    ip: null,
    fromDomainExists: NOT_ASKED,
    fromMx: NOT_ASKED,
    envelopeMx: null,
    mxHosts: {},
  },
  connection: {
    ip: null,
    helo: null,
    source: 'smtp',
    tls: { status: 'not_observable', version: null, cipher: null },
    ptr: NOT_ASKED,
    forward: NOT_ASKED,
    heloAddresses: NOT_ASKED,
    spamcop: NOT_ASKED,
    blocklists: [],
  },
  spf: NOT_ASKED,
  dkim: NOT_ASKED,
  dmarc: NOT_ASKED,
  arc: NOT_ASKED,
  bimi: NOT_ASKED,
  transport: { report: { domain: null }, mtaSts: NOT_ASKED, tlsRpt: NOT_ASKED },
  headers: NOT_ASKED,
  content: NOT_ASKED,
  links: NOT_ASKED,
  provider: null,
  webRisk: { configured: false, checkedAt: null, hosts: {} },
  partialErrors: [],
  remarks: [],
});

/** Every fortieth mail is taken; of the others two thirds are refused, the rest are to come again. */
const gateOf = (mails: number): GateFacts => {
  if (mails % 40 === 0) return TAKEN;
  return mails % 3 === 0 ? { ...REFUSED, resolverDown: true } : REFUSED;
};

/** Inspections that look nothing up, and how many mails were read and ended. */
export function playInspections() {
  const counts = { gates: 0, ended: 0 };
  const inspect: Inspect = ({ testId }) => {
    return {
      read: async () => {
        counts.gates += 1;
        return {
          gate: gateOf(counts.gates),
          awaitLookups: async () => {},
          facts: async (arrival) => factsOf(testId, arrival),
          end: () => {
            counts.ended += 1;
          },
        };
      },
    };
  };
  return { inspect, counts };
}
