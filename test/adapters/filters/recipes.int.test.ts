/** Tests the setup of SpamAssassin and rspamd in docs/filters.md with the real programs. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFilters } from '../../../src/adapters/filters/open-filters.ts';
import type { FilterFacts } from '../../../src/analysis/filters/facts.ts';
import { createAskFilters } from '../../../src/inspection/filters.ts';
import type { FilteredMail } from '../../../src/ports/filters.ts';
import { isInstalled, startRecipes } from '../../support/filters/recipes.ts';

const MISSING = 'spamd or rspamd is not installed (Debian: spamassassin spamd rspamd)';

const STEM = 'kanarienvogel';
const c = (place: string) => `${STEM}-${place}`;
const base64 = (text: string) => Buffer.from(text).toString('base64');

const mail = [
  `From: ${c('name')} <${c('from')}@sender.example>`,
  `To: ${c('to')}@in.example.net`,
  `Subject: ${c('subject')}`,
  `Message-ID: <${c('id')}@sender.example>`,
  'Date: Fri, 20 Nov 2026 10:00:00 +0000',
  `X-Campaign: ${c('header')}`,
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  `<p>${c('text')}</p><a href="https://www.sender.example/${c('path')}">${c('link')}</a>`,
  '<p>XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X</p>',
  '--b',
  `Content-Type: application/octet-stream; name="${c('file')}.bin"`,
  'Content-Transfer-Encoding: base64',
  '',
  base64(`xx${c('content')}`.repeat(500)).replace(/.{76}/g, '$&\r\n'),
  '--b--',
  '',
].join('\r\n');

const about: Omit<FilteredMail, 'hostname' | 'bytes'> = {
  ...{ ip: '203.0.113.25', helo: 'mail.sender.example', from: `${c('envelope')}@sender.example` },
  ...{ recipient: 'recipient@in.example.net', mailDomain: 'in.example.net' },
  receivedAt: '2026-11-20T10:00:10.000Z',
};

describe.skipIf(!isInstalled)(`spamd and rspamd, set up as on the page (else: ${MISSING})`, () => {
  let daemons: Awaited<ReturnType<typeof startRecipes>>;
  let facts: readonly FilterFacts[];

  beforeAll(async () => {
    daemons = await startRecipes();
    const ask = createAskFilters({
      ...{ filters: openFilters(daemons.sockets), runBy: 'operator', filterMs: 30_000 },
    });
    facts = await ask(
      { ...about, bytes: Buffer.from(mail) },
      Promise.resolve('mail.sender.example'),
    );
  });
  afterAll(() => daemons?.stop());

  test('SpamAssassin responds with its version, its rules and what it would do', () => {
    expect(facts[0]).toMatchObject({
      ...{ name: 'spamassassin', status: 'checked', threshold: 5, action: 'mark_as_spam' },
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      rules: expect.arrayContaining([expect.objectContaining({ name: 'GTUBE', points: 1000 })]),
      leftOut: { rules: expect.any(Number) },
    });
  });

  test('rspamd does too', () => {
    expect(facts[1]).toMatchObject({
      ...{ name: 'rspamd', status: 'checked', threshold: 15, action: 'reject' },
      version: expect.stringMatching(/^\d+\.\d+/),
      rules: expect.arrayContaining([expect.objectContaining({ name: 'GTUBE' })]),
    });
  });

  test('neither uses the network, learns, or holds our recipient against the sender', () => {
    const names = facts
      .flatMap((one) => (one.status === 'checked' ? one.rules : []))
      .map((one) => one.name);
    expect(
      names.filter((name) =>
        /^(RBL|URIBL|DBL|R_SPF|R_DKIM|SPF_|DKIM_V|DMARC|BAYES|FORGED_REC)/.test(name),
      ),
    ).toEqual([]);
  });

  test('no part of the email is in their responses, their folders or shared memory', async () => {
    const { output, left, temporary } = daemons;
    for (const text of [JSON.stringify(facts), output(), await left()]) {
      expect(text).not.toContain(STEM);
      expect(text).not.toContain(base64(STEM).slice(0, -4));
    }
    expect(await temporary()).toEqual([]);
  });
});
