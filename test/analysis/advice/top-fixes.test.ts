/** Tests the choice and the order of a report's top fixes and suggestions. */

import { describe, expect, test } from 'vitest';
import { suggestionsOf, topFixes } from '../../../src/analysis/advice/top-fixes.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import { judge } from '../../../src/analysis/judge.ts';
import { facts, type Part, signed } from '../../support/mail/facts.ts';

const idsOf = (...parts: Part<Facts>[]) => topFixes(judge(facts(...parts))).map(({ id }) => id);

const plaintext: Part<Facts> = { connection: { tls: { status: 'plaintext' } } };
const noPtr: Part<Facts> = { connection: { ptr: { value: [] } } };
const policyNone: Part<Facts> = { dmarc: { value: { report: { effective_policy: 'none' } } } };
const noAlt: Part<Facts> = { content: { value: { content: { images_without_alt: 1 } } } };

describe('the top fixes', () => {
  test('are empty if nothing is wrong', () => {
    expect(idsOf()).toEqual([]);
  });

  test('are ordered by gain: the cap counts for more than the points', () => {
    // Without the cap of 89, there are 11 points to gain, more than the 3 of the policy.
    expect(idsOf(policyNone, plaintext)).toEqual(['connection_tls', 'dmarc_policy']);
  });

  test('put the lower cap first if two caps hide each other', () => {
    const listed: Part<Facts> = { connection: { spamcop: { value: 'listed' } } };
    expect(idsOf(plaintext, noPtr, listed).slice(0, 2)).toEqual(['spamcop_listed', 'rdns_ptr']);
  });

  test('share a cause with the From field if nothing can be fixed without it', () => {
    const dotless: Part<Facts> = {
      names: { fromDomain: 'localhost', fromOrganizationalDomain: 'localhost' },
      headers: { value: { from: { oddities: ['no_dot'] } } },
      dmarc: { value: { anyRecord: false, spfAligned: false, dkimAligned: false } },
    };
    expect(idsOf(dotless)).toEqual(['from_header']);
  });

  test('are three at most', () => {
    expect(idsOf(plaintext, noPtr, policyNone, noAlt)).toHaveLength(3);
  });

  test('treat what a gate hides as passing', () => {
    const noRecord: Part<Facts> = { dmarc: { value: { anyRecord: false } } };
    expect(idsOf(noRecord, policyNone)).toEqual(['dmarc_record']);
  });

  test('put warnings without points last', () => {
    const broken: Part<Facts> = { transport: { mtaSts: { value: { state: 'broken' } } } };
    expect(idsOf(broken, noAlt, policyNone)).toEqual(['dmarc_policy', 'images_alt', 'mta_sts']);
  });

  test('follow the order of the catalogue if gain, cap and points are equal', () => {
    const weak: Part<Facts> = {
      dkim: { value: { signatures: [signed({ report: { key_bits: 1024 } })] } },
    };
    expect(idsOf(policyNone, weak)).toEqual(['dkim_key_size', 'dmarc_policy']);
  });
});

test('infos that are worth acting on are suggestions, in the order of the catalogue', () => {
  const verdicts = judge(
    facts({
      spf: { value: { effectiveAll: '~' } },
      dmarc: { value: { report: { effective_policy: 'none' } } },
      transport: { mtaSts: { value: { state: 'absent' } } },
      bimi: { value: { declined: true, report: { result: 'declined' } } },
    }),
  );
  expect(suggestionsOf(verdicts).map(({ id }) => id)).toEqual(['mta_sts']);
});
