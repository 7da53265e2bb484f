/** Provides the facts behind the sample report, and the text of that report. */

import type { Facts } from '../../../src/analysis/facts.ts';
import { unknown } from '../../../src/analysis/lookup-result.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import { bulkClassification } from '../../analysis/classification/facts.ts';
import { facts, type Part, signed } from './facts.ts';

const DMARC_RECORD = 'v=DMARC1; p=none';
const PSBL = {
  list: 'psbl.surriel.com',
  status: 'not_listed' as const,
  codes: [],
  removal_url: null,
};

const RECORD = 'v=spf1 ip4:192.0.2.25 include:_spf.provider.example ~all';
/** The lookups of the record, as it was found and as it was tried. */
const COSTS = {
  lookups: 9,
  tree: [
    { term: 'ip4:192.0.2.25', lookups: 0, depth: 0 },
    { term: 'include:_spf.provider.example', lookups: 9, depth: 0 },
  ],
};
const TRIAL = { result: 'pass' as const, matchedTerm: 'ip4:192.0.2.25', ...COSTS };

/** A newsletter of a sender who has done most things right. The sample report is about it. */
const newsletter: Part<Facts> = {
  testId: 'samplereport',
  names: {
    helo: 'web1.example.com',
    nameServers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  },
  connection: {
    helo: 'web1.example.com',
    heloAddresses: { value: ['192.0.2.80'] },
    blocklists: [PSBL],
  },
  spf: {
    value: {
      report: {
        record: RECORD,
        records: [RECORD],
        all: '~',
        ...COSTS,
      },
      effectiveAll: '~',
      trials: new Map([[RECORD, TRIAL]]),
    },
  },
  dkim: {
    value: {
      signatures: [
        signed({
          report: { key_bits: 1024, key: { bits: 1024, record: 'v=DKIM1; k=rsa; p=MIGf' } },
        }),
      ],
    },
  },
  dmarc: {
    value: {
      report: { policy: 'none', effective_policy: 'none', record: DMARC_RECORD, rua: [] },
      published: [DMARC_RECORD],
      tags: [['p', 'none']],
    },
  },
  bimi: {
    value: {
      report: { result: 'none', record: null, dmarc_ready: false },
      logo: unknown('bimi: no record'),
      certificate: { value: 'absent' },
      organizationalDomainReady: false,
    },
  },
  transport: {
    mtaSts: { value: { state: 'absent' } },
    tlsRpt: { value: { state: 'absent' } },
  },
  headers: {
    value: {
      classification: bulkClassification,
      bulk: { isBulk: true, hasListId: true, listId: 'news.example.com' },
      listUnsubscribe: { present: true, https: true, post: true, host: 'www.example.com' },
    },
  },
  content: {
    value: {
      preheader: true,
      hiddenPreheader: true,
      content: { images: 4, images_without_alt: 3 },
      contentImages: 4,
    },
  },
  route: {
    value: {
      hops: [
        {
          from: null,
          from_kind: 'private',
          by: 'web1.example.com',
          protocol: 'ESMTPSA',
          encrypted: true,
          tls_version: 'TLSv1.3',
          at: '2026-11-20T12:00:00.000Z',
          crossesInternet: false,
          authenticated: true,
          impossible: null,
        },
      ],
      total: 1,
    },
  },
  webRisk: { configured: false, checkedAt: null, hosts: {} },
};

export const sampleFacts: Facts = facts(newsletter);

/** Returns the report of the sample email, as it is stored beside the analysis. */
export const sampleText = (): string =>
  `${JSON.stringify(makeReport(sampleFacts, '2026-11-20T12:00:02.000Z'), null, 2)}\n`;
