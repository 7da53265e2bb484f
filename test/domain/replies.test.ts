/** Tests that every SMTP reply is one valid line. */

import { expect, test } from 'vitest';
import { type ReplyName, replies, toReply, verdict } from '../../src/domain/replies.ts';

const names = Object.keys(replies) as ReplyName[];

const LONG = `${'a'.repeat(60)}.`.repeat(4).concat('example');
const facts = {
  spf: 'softfail',
  envelope_domain: LONG,
  from_domain: LONG,
  spf_domain: LONG,
  dkim_domains: [LONG, LONG, LONG].join(', '),
  dkim: `fail for ${LONG} (body_hash_mismatch)`,
  ip: '2001:db8:1111:2222:3333:4444:5555:6666',
  policy: 'sp=quarantine',
  record_domain: LONG,
  strict: ' (adkim= or aspf= requires an exact match)',
  list: LONG,
  removal_url: `https://${LONG}/${'x'.repeat(200)}`,
  remedy: 'If 2001:db8::1 is yours, publish an SPF record that lists it, or sign with DKIM',
  until: '10:15 UTC',
  page: 'https://test.example.net/v1/tests/abcdefgh2345/status',
  site: 'https://test.example.net',
  contact: 'help@example.net',
  mail_domain: LONG,
  what: 'header block',
  n: '10485760',
};

test.each(names)(
  '%s is one line of printable ASCII within 500 octets, with every placeholder filled',
  (reply) => {
    const { code, text } = toReply({ reply, facts });
    const line = `${code} ${text}`;
    expect(line).toMatch(/^[245]\d\d [245]\.\d{1,3}\.\d{1,3} [\x20-\x7e]+$/);
    expect(line.length).toBeLessThanOrEqual(500);
    expect(line).not.toMatch(/[{}]/);
    expect(line[0]).toBe(line[4]);
  },
);

test.each(['unauthenticated', 'dmarc', 'blocklisted'] as const)(
  '%s keeps the time and the link to the page in full when names are cut',
  (reply) => {
    const { text } = toReply({ reply, facts });
    expect(text).toContain(`before ${facts.until}. Details: ${facts.page}`);
    expect(text).toContain('...');
  },
);

test('a name that is short enough is not cut', () => {
  const answer = {
    reply: 'relaying' as const,
    facts: { mail_domain: 'in.example.net', site: 'https://test.example.net' },
  };
  expect(toReply(answer)).toEqual({
    code: 550,
    text: '5.7.1 This server accepts mail only for in.example.net. Send to the address of your test, or create one at https://test.example.net',
  });
});

test('a line break or a letter outside ASCII cannot enter a reply', () => {
  const { text } = toReply(verdict('relaying', { mail_domain: 'a\r\n250 ok\u00e9' }));
  expect(text).toBe(
    '5.7.1 This server accepts mail only for a??250 ok?. Send to the address of your test, or create one at ',
  );
});
