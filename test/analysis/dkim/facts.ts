/** DKIM facts of a perfect email, for tests. */

import type { DkimFact, DkimFacts } from '../../../src/analysis/dkim/facts.ts';
import { DOMAIN } from '../names/facts.ts';

const SIGNED = ['from', 'from', 'to', 'subject', 'date', 'message-id', 'mime-version'];

/** A signature of the From domain that passes. */
export const signature: DkimFact = {
  report: {
    domain: DOMAIN,
    selector: 's1',
    result: 'pass',
    reason: null,
    aligned: true,
    strict_aligned: true,
    key_bits: 2048,
    algorithm: 'rsa-sha256',
    canonicalization: 'relaxed/relaxed',
    identity_domain: DOMAIN,
    signed_headers: [...SIGNED, 'content-type', 'list-unsubscribe', 'list-unsubscribe-post'],
    from_oversigned: true,
    timestamp: null,
    expires: null,
    length_limited: false,
    unsigned_tail_bytes: 0,
    body_hash: 'match',
    key: {
      type: 'rsa',
      bits: 2048,
      testing: false,
      revoked: false,
      hash: [],
      services: [],
      record: 'v=DKIM1; k=rsa; p=MIIB',
      record_name: 's1._domainkey.example.com',
      cname: [],
    },
  },
  fault: null,
  ofFromDomain: true,
  lifetimeSeconds: null,
  fromFuture: false,
  expired: false,
  unsignedHeaders: [],
  coversListUnsubscribe: true,
  coversListUnsubscribePost: true,
  keyFaults: [],
};

export const dkim: DkimFacts = { signatures: [signature], total: 1 };
