/** DMARC facts of a perfect email, for tests. */

import type { DmarcFacts } from '../../../src/analysis/dmarc/facts.ts';
import { DOMAIN } from '../names/facts.ts';

const RECORD = 'v=DMARC1; p=reject; rua=mailto:dmarc@example.com';

export const dmarc: DmarcFacts = {
  report: {
    result: 'pass',
    policy: 'reject',
    alignment: { spf: 'strict', dkim: 'strict' },
    record: RECORD,
    record_domain: DOMAIN,
    organizational_domain: DOMAIN,
    organizational_domain_psl: DOMAIN,
    psl_differs: false,
    tree_walk: [{ name: 'example.com', found: true }],
    subdomain_policy: null,
    nonexistent_policy: null,
    effective_policy: 'reject',
    testing: false,
    psd: 'u',
    adkim: 'r',
    aspf: 'r',
    rua: [{ uri: 'mailto:dmarc@example.com', external: false, authorized: null, has_mx: true }],
    ruf: [],
    legacy_tags: [],
    errors: [],
    disposition: 'none',
  },
  anyRecord: true,
  ignoredBecause: null,
  lint: [],
  tags: [
    ['p', 'reject'],
    ['rua', 'mailto:dmarc@example.com'],
  ],
  applies: 'p',
  inherited: false,
  spfAligned: true,
  dkimAligned: true,
  decided: true,
  pslNote: null,
};
