import type { Facts } from '../../../src/analysis/facts.ts';
import { bulkMail, type Part, signed } from '../../support/mail/facts.ts';

type Parts = readonly Part<Facts>[];

const spf = (result: 'fail' | 'permerror' | 'none', more: object = {}): Part<Facts> => ({
  spf: { value: { report: { result, ...more } } },
  dmarc: { value: { spfAligned: false } },
});
const dmarc = (part: object, value: object = {}): Part<Facts> => ({
  dmarc: { value: { report: part, ...value } },
});
const dkim = (...signatures: ReturnType<typeof signed>[]): Part<Facts> => ({
  dkim: { value: { signatures, total: signatures.length } },
});
const headers = (value: object): Part<Facts> => ({ headers: { value } });
const content = (value: object): Part<Facts> => ({ content: { value } });

const plain: Part<Facts> = {
  bimi: { value: { report: { result: 'none' }, certificate: { value: 'absent' } } },
  transport: { mtaSts: { value: { state: 'absent' } }, tlsRpt: { value: { state: 'absent' } } },
};
const unsigned: Parts = [dkim(), dmarc({}, { dkimAligned: false })];
const unaligned = dmarc({}, { spfAligned: false, dkimAligned: false });
const broken = signed({ report: { result: 'fail', reason: 'body_hash_mismatch' } });
const noRecord: Part<Facts> = dmarc({ policy: null }, { anyRecord: false, tags: [] });
const two = ['v=spf1 ip4:203.0.113.10 -all', 'v=spf1 mx -all'];
const withoutList = headers({ listUnsubscribe: { present: false, https: false, post: false } });

/** The set-ups of `scenarios.jsonl` as facts: what the inspection of such a mail would find. */
export const scenarioFacts: Readonly<Record<string, Parts>> = {
  d01: [plain],
  d02: [plain, bulkMail],
  d03: [plain, bulkMail, withoutList],
  d04: [plain, spf('fail')],
  d05: [plain, ...unsigned, dmarc({ effective_policy: 'none' })],
  d06: [plain, spf('permerror', { lookups: 11 })],
  d07: [plain, spf('none', { record: null, records: [] }), dkim(), noRecord, unaligned],
  d08: [plain, noRecord],
  d09: [plain, { connection: { ptr: { value: [] } } }],
  d10: [plain, headers({ messageId: { count: 0 } })],
  d11: [
    plain,
    headers({
      impersonation: [
        { id: 'brand_name', shown: 'PayPal', real: 'northwind.example' },
        { id: 'brand_link', shown: 'www.paypal.com', real: 'northwind.example' },
      ],
    }),
    {
      links: {
        value: {
          mismatches: [{ shown_domain: 'www.paypal.com', target_domain: 'northwind.example' }],
          httpHosts: ['northwind.example'],
        },
      },
    },
  ],
  d12: [plain, unaligned, headers({ classification: { class: 'discussion_list' } })],
  d13: [plain, dkim(broken), dmarc({}, { dkimAligned: false })],
  d14: [plain, unaligned, dkim(signed({ report: { domain: 'esp.example', aligned: false } }))],
  d15: [plain, dmarc({ effective_policy: 'none', rua: [] })],
  d16: [plain, spf('permerror', { records: two })],
  d17: [plain, dkim(signed({ report: { key_bits: 1024 } }))],
  d18: [
    plain,
    bulkMail,
    content({
      textAlternative: 'html_only',
      contentImages: 1,
      logoImages: 0,
      content: { html_words: 12, images: 1, has_text: false },
    }),
  ],
  d19: [plain, content({ textAlternative: 'text_only', content: { has_html: false } })],
  d20: [plain, { connection: { spamcop: { value: 'listed' } } }],
};
