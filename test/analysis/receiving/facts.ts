/** Facts about the mail hosts of a perfect domain, for tests. */

import { known } from '../../../src/analysis/lookup-result.ts';
import type { ReceivingFacts } from '../../../src/analysis/receiving/facts.ts';

/** A domain where everything is signed, protected, and reachable by both kinds of address. */
export const receiving: ReceivingFacts = {
  dnssec: known({ domain: 'secure', hosts: { 'mx.example.com': 'secure' } }),
  tlsa: {
    'mx.example.com': known([{ usage: 3, selector: 1, matching: 1, data: '0a'.repeat(32) }]),
  },
  starttls: { 'mx.example.com': known({ version: 'TLSv1.3', fault: null, named: true }) },
  nameServers: { 'ns1.example.net': known(true) },
};
