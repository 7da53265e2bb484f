/**
 * Tests the sentences of findings that quote a measured value, and the DMARC record that a fix
 * prints for report addresses.
 */

import { expect, test } from 'vitest';
import { checks } from '../../src/analysis/checks.ts';
import type { Facts, HeaderFacts } from '../../src/analysis/facts.ts';
import type { LinkFacts } from '../../src/analysis/links/facts.ts';
import { known } from '../../src/analysis/lookup-result.ts';
import type { Dmarc } from '../../src/domain/report/authentication.ts';
import { bulkMail, facts, type Part, signed } from '../support/mail/facts.ts';

const rua = (uri: string, part: Partial<NonNullable<Dmarc['rua']>[number]> = {}): Part<Facts> => ({
  dmarc: {
    value: { report: { rua: [{ uri, external: false, authorized: null, has_mx: true, ...part }] } },
  },
});
const signature = (part: Parameters<typeof signed>[0]): Part<Facts> => ({
  dkim: { value: { signatures: [signed(part)] } },
});
const post = (postFault: HeaderFacts['listUnsubscribe']['postFault']): Part<Facts> => ({
  headers: { value: { listUnsubscribe: { post: false, postFault } } },
});
const links = (value: Part<LinkFacts>): Part<Facts> => ({
  links: { value: { report: { total: 1000 }, ...value } },
});
const clean: Part<Facts> = {
  webRisk: { configured: true, hosts: { 'www.example.com': { threats: [], expiresAt: null } } },
};
const attached = (defects: readonly string[]): Part<Facts> => ({
  content: {
    value: {
      mime: { defects: [...defects] },
      attachments: [
        {
          index: 0,
          declared_type: 'application/pdf',
          detected_type: null,
          extension: 'pdf',
          size_bytes: 9,
          encrypted: false,
          macros: false,
        },
      ],
    },
  },
});
const words = (defects: readonly string[]): Part<Facts> => ({
  content: { value: { mime: { defects: [...defects] }, content: { html_words: 9 } } },
});
const expires = '2026-11-27T12:00:00.000Z';

/** The sentences of findings about the value that was measured. */
const details: [id: string, expected: string, Part<Facts> | readonly Part<Facts>[]][] = [
  ['dmarc_rua', 'example.com: accepts reports.', rua('mailto:a@example.com')],
  ['dmarc_rua', 'far.example: accepts reports.', rua('mailto:a@far.example?subject=b@c.example')],
  [
    'dmarc_rua',
    'an address without a domain: receivers cannot use it',
    rua('mailto:a', { has_mx: false }),
  ],
  ['dmarc_rua', 'https://a.example/: not a mailto: address', rua('https://a.example/')],
  ['one_click', 'List-Unsubscribe-Post: yes.', bulkMail],
  ['one_click', 'List-Unsubscribe-Post: no.', [bulkMail, post(null)]],
  [
    'one_click',
    'present, but not with the value List-Unsubscribe=One-Click.',
    [bulkMail, post('value')],
  ],
  ['one_click', 'List-Unsubscribe-Post: more than once.', [bulkMail, post('repeated')]],
  ['link_count', '1000 links to 1 domain;', links({})],
  ['link_count', '1000 or more links to 1 or more domains;', links({ truncated: true })],
  ['link_offdomain', 'No link leads to', links({ underFromDomain: false })],
  [
    'link_offdomain',
    'None of the first 1000 links leads to',
    links({ underFromDomain: false, truncated: true }),
  ],
  ['link_reputation', 'examined.', [links({ truncated: true }), clean]],
  ['attachment_types', '1 attachment: application/pdf', attached([])],
  ['attachment_types', '1 or more attachments: application/pdf', attached(['too_many_parts'])],
  ['text_html_mismatch', ' words, the HTML 9.', words([])],
  ['text_html_mismatch', ' or more words, the HTML 9 or more.', words(['words_truncated'])],
  ['dkim_expired', 'The signature does not expire.', {}],
  [
    'rdns_fcrdns',
    'a.example: no address; b.example: 192.0.2.1; 2 more were not looked up.',
    {
      connection: {
        ptr: known(['a.example', 'b.example', 'c.example', 'd.example']),
        forward: known({
          addresses: { 'a.example': [], 'b.example': ['192.0.2.1'] },
          confirmed: false,
          confirmedNames: [],
        }),
      },
    },
  ],
  ['helo_valid', 'The HELO name is not a host name.', { connection: { helo: '' } }],
  ['dkim_expired', `The signature expires at ${expires}.`, signature({ report: { expires } })],
];

test.each(details)('%s: %s', (id, expected, part) => {
  const verdict = checks.find((check) => check.id === id)?.run(facts(...[part].flat()));
  expect(verdict?.finding.detail).toContain(expected);
});

test('a report address whose owner has not agreed is kept, and one at the own domain is added', () => {
  const elsewhere = { external: true, authorized: false };
  const part = rua('mailto:a@far.example?subject=b@c.example', elsewhere);
  const verdict = checks.find(({ id }) => id === 'dmarc_rua')?.run(facts(part));
  expect(verdict?.finding.fix).toContain('The owner of far.example has not agreed');
});
