/** Tests the clients of SpamAssassin and rspamd against servers on loopback, including hostile ones. */

import { afterEach, expect, test } from 'vitest';
import { createRspamd } from '../../../src/adapters/filters/rspamd.ts';
import { createSpamd } from '../../../src/adapters/filters/spamd.ts';
import type { FilteredMail } from '../../../src/ports/filters.ts';
import {
  answerAsRspamd,
  answerAsSpamd,
  type Behaviour,
  type FakeFilter,
  rspamdAnswer,
  spamdReport,
  startFilter,
} from '../../support/filters/fake-filter.ts';

const mail: FilteredMail = {
  bytes: Buffer.from('Subject: x\r\n\r\nhello\r\n'),
  ip: '192.0.2.25',
  helo: 'mail.sender.example',
  hostname: 'mail.sender.example',
  from: 'bounce@sender.example',
  recipient: 'recipient@in.example.net',
  mailDomain: 'in.example.net',
  receivedAt: '2026-11-20T10:01:00.000Z',
};

let filter: FakeFilter | undefined;
afterEach(() => filter?.stop());

async function start(behave: Behaviour) {
  filter = await startFilter(behave);
  const { host, port, requests } = filter;
  return { address: { host, port }, requests };
}

const soon = () => AbortSignal.timeout(5000);

test('spamd is told about the transaction in fields on top, and returns rules with points', async () => {
  const rows = [
    ' 1.4 HTML_IMAGE_ONLY_12     BODY: HTML: images',
    '-0.0 NO_RELAYS              Informational',
    ' 100 GTUBE                  Generic test',
    '                            [URI: 5.0 SECRET.example]',
  ];
  const { address, requests } = await start(answerAsSpamd(spamdReport(rows, 'True ; 6.1 / 5.0')));
  expect(await createSpamd(address).ask(mail, soon())).toEqual({
    ...{ version: '4.0.1', score: 6.1, threshold: 5, action: 'mark_as_spam' },
    rules: [
      { name: 'HTML_IMAGE_ONLY_12', points: 1.4 },
      { name: 'NO_RELAYS', points: -0 },
      { name: 'GTUBE', points: 100 },
    ],
  });
  const report = requests.find((one) => one.startsWith('REPORT')) ?? '';
  const [head = ''] = report.split('\r\n\r\n');
  const body = report.slice(head.length + 4);
  expect(head).toBe(`REPORT SPAMC/1.5\r\nContent-length: ${body.length}`);
  expect(body).toBe(
    'Return-Path: <bounce@sender.example>\r\nReceived: from mail.sender.example (mail.sender.example [192.0.2.25])\r\n\tby in.example.net with ESMTP; Fri, 20 Nov 2026 10:01:00 +0000\r\nSubject: x\r\n\r\nhello\r\n',
  );
});

test('emails that arrive together ask for the version of spamd once', async () => {
  const { address, requests } = await start(answerAsSpamd(spamdReport([])));
  const spamd = createSpamd(address);
  const answers = await Promise.all([1, 2, 3, 4].map(() => spamd.ask(mail, soon())));
  expect(requests.filter((one) => one.startsWith('HEADERS'))).toHaveLength(1);
  expect(new Set(answers.map(({ version }) => version)).size).toBe(1);
});

test('the version of spamd is requested once, with a test email of ours', async () => {
  const { address, requests } = await start(answerAsSpamd(spamdReport([])));
  const spamd = createSpamd(address);
  await spamd.ask(mail, soon());
  await spamd.ask(mail, soon());
  const asked = requests.filter((one) => one.startsWith('HEADERS'));
  expect(asked).toEqual([
    'HEADERS SPAMC/1.5\r\nContent-length: 20\r\n\r\nSubject: version\r\n\r\n',
  ]);
});

test.each([
  ['has none', null, 'unknown [192.0.2.25]'],
  ['is not known', undefined, undefined],
])('if the reverse name of a client %s, spamd is told %#', async (_, hostname, shown) => {
  const { address, requests } = await start(answerAsSpamd(spamdReport([])));
  await createSpamd(address).ask({ ...mail, hostname }, soon());
  const report = requests.find((one) => one.startsWith('REPORT')) ?? '';
  if (shown === undefined) expect(report).not.toContain('Received:');
  else expect(report).toContain(shown);
});

test('rspamd is told about the transaction in request headers, and asked to store nothing', async () => {
  const { address, requests } = await start(
    answerAsRspamd(rspamdAnswer({ MISSING_MID: 2.5, MIME_GOOD: -0.1 }, { action: 'add header' })),
  );
  expect(await createRspamd(address).ask(mail, soon())).toEqual({
    ...{ version: '3.4', score: 2.5, threshold: 15, action: 'add_header' },
    rules: [
      { name: 'MISSING_MID', points: 2.5 },
      { name: 'MIME_GOOD', points: -0.1 },
    ],
  });
  const [request = ''] = requests;
  expect(request).toMatch(/^POST \/checkv2 HTTP\/1\.1\r\n/);
  for (const line of [
    'IP: 192.0.2.25',
    'Helo: mail.sender.example',
    'Hostname: mail.sender.example',
    'From: bounce@sender.example',
    'Rcpt: recipient@in.example.net',
    'Settings: {"symbols_disabled":["FORGED_RECIPIENTS"],"flags":["no_log","no_stat"]}',
  ])
    expect(request).toContain(`\r\n${line}\r\n`);
  expect(request.endsWith('\r\n\r\nSubject: x\r\n\r\nhello\r\n')).toBe(true);
});

test('an unknown reverse name is not held against the sender', async () => {
  const { address, requests } = await start(answerAsRspamd(rspamdAnswer({})));
  await createRspamd(address).ask({ ...mail, hostname: undefined }, soon());
  expect(requests[0]).toContain('"RDNS_NONE","HFILTER_HOSTNAME_UNKNOWN"]');
  expect(requests[0]).not.toContain('Hostname:');
});

const cut = spamdReport([' 1.0 MISSING_MID x']).slice(0, -10);

test.each<readonly [string, Behaviour, object]>([
  ['an answer that is cut off', answerAsSpamd(cut), { reason: 'broke_off' }],
  ['no answer', (socket) => void socket.on('end', () => socket.end()), { reason: 'broke_off' }],
  ['another protocol', answerAsSpamd('HTTP/1.1 200 OK\r\n\r\n'), { reason: 'unreadable_answer' }],
  ['an error', answerAsSpamd('SPAMD/1.0 76 Bad header line\r\n'), { reason: 'unreadable_answer' }],
  [
    'no table',
    answerAsSpamd('SPAMD/1.1 0 EX_OK\r\nContent-length: 2\r\nSpam: False ; 1 / 5\r\n\r\nhi'),
    { reason: 'unreadable_answer' },
  ],
  ['no score', answerAsSpamd(spamdReport([], 'False ; x / y')), { reason: 'unreadable_answer' }],
  ['5 MB', answerAsSpamd('x'.repeat(5_000_000)), { name: 'RangeError' }],
])('spamd with %s is a fault', async (_, behave, fault) => {
  const { address } = await start(behave);
  await expect(createSpamd(address).ask(mail, soon())).rejects.toMatchObject(fault);
});

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n';

test.each<readonly [string, Behaviour, object]>([
  [
    'an answer that is cut off',
    (socket) => void socket.once('data', () => socket.end(`${HEAD}{`)),
    { code: 'ECONNRESET' },
  ],
  ['an error', answerAsRspamd('{"error":"x"}', '500 no'), { reason: 'unreadable_answer' }],
  ['wrong JSON', answerAsRspamd('{"score":'), { reason: 'unreadable_answer' }],
  ['JSON of another kind', answerAsRspamd('[1, 2]'), { reason: 'unreadable_answer' }],
  [
    'symbols that are a list',
    answerAsRspamd(rspamdAnswer({}, { symbols: [] })),
    { reason: 'unreadable_answer' },
  ],
  ['no symbols', answerAsRspamd('{"score":1,"is_skipped":false}'), { reason: 'unreadable_answer' }],
  [
    'a score that is no number',
    answerAsRspamd(rspamdAnswer({}, { score: '1' })),
    { reason: 'unreadable_answer' },
  ],
  [
    'an email that it skipped',
    answerAsRspamd(rspamdAnswer({}, { is_skipped: true })),
    { reason: 'unreadable_answer' },
  ],
  ['5 MB', answerAsRspamd(JSON.stringify({ x: 'x'.repeat(5_000_000) })), { name: 'RangeError' }],
])('rspamd with %s is a fault', async (_, behave, fault) => {
  const { address } = await start(behave);
  await expect(createRspamd(address).ask(mail, soon())).rejects.toMatchObject(fault);
});

/** Sends a byte now and then, for ever. */
const trickle: Behaviour = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\nX: ');
  const timer = setInterval(() => socket.write('x'), 10);
  socket.on('close', () => clearInterval(timer));
};

test.each([
  ['spamd', createSpamd],
  ['rspamd', createRspamd],
])('%s that never ends is left when the time is over', async (_, create) => {
  const { address } = await start(trickle);
  const end = new AbortController();
  const asked = create(address).ask(mail, end.signal);
  asked.catch(() => {});
  await expect.poll(() => filter?.open()).toBeGreaterThan(0);
  end.abort();
  await expect(asked).rejects.toThrow();
  await expect.poll(() => filter?.open()).toBe(0);
});

test('rspamd that skips the rest after one rule has given its result', async () => {
  const { address } = await start(answerAsRspamd(rspamdAnswer({ GTUBE: 0 }, { is_skipped: true })));
  expect(await createRspamd(address).ask(mail, soon())).toMatchObject({
    rules: [{ name: 'GTUBE' }],
  });
});
