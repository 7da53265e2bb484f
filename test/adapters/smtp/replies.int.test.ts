import { createTransport } from 'nodemailer';
import { describe, expect, test } from 'vitest';
import { anEvent } from '../../support/log/events.ts';
import { ADDRESS, MAIL, MAIL_DOMAIN, refused } from '../../support/mail/mail-environment.ts';
import { smtpEnvironment } from '../../support/mail/smtp-environment.ts';
import { instant, T0, TEST_ID } from '../../support/process/instants.ts';

const PAGE = `https://test.example.net/t/${TEST_ID}`;

test('a mail sent by an ordinary client is analysed', async () => {
  const environment = await smtpEnvironment();
  const transport = createTransport({
    host: '127.0.0.1',
    port: environment.port,
    name: 'mail.example.com',
    tls: { rejectUnauthorized: false },
  });
  const sent = await transport.sendMail({
    from: 'Sender <sender@example.com>',
    to: ADDRESS,
    subject: 'hello',
    text: 'A body.\n.\nwith dots',
  });
  expect(sent.response).toBe(`250 2.0.0 Your mail is analysed and its report is ready. ${PAGE}`);
  expect(environment.tests.all()[1]?.event.data).toMatchObject({
    ip: '127.0.0.1',
    helo: 'mail.example.com',
    tls: 'tls',
    envelope_domain: 'example.com',
    size_bytes: environment.inspection.texts[0]?.length,
  });
  expect(environment.inspection.texts[0]).toContain('A body.\r\n.\r\nwith dots\r\n');
});

test.each([
  ['a@my_domain.example', '250 Accepted'],
  ['a.@example.com', '250 Accepted'],
  ['a@example.com.', '501 5.1.7 The sender address is not valid.'],
  ['a@[example]', '501 5.1.7 The sender address is not valid.'],
])('the sender %s hears %s', async (from, reply) => {
  const client = await (await smtpEnvironment()).connect();
  await client.send('EHLO mail.example.com');
  expect(await client.send(`MAIL FROM:<${from}>`)).toContain(reply);
});

describe('the recipient', () => {
  test.each([
    [`${TEST_ID.toUpperCase()}@IN.example.NET`, '250 Accepted'],
    [
      `zzzzzzzzzzzz@${MAIL_DOMAIN}`,
      '550 5.1.1 There is no test with this address. It is mistyped, or its test was deleted: create a new test at https://test.example.net',
    ],
    [`${TEST_ID}+tag@${MAIL_DOMAIN}`, '550 5.1.1 There is no test'],
    [`"${TEST_ID}"@${MAIL_DOMAIN}`, '550 5.1.1 There is no test'],
    [`samplereport@${MAIL_DOMAIN}`, '550 5.1.1 There is no test'],
    [
      `${TEST_ID}@example.net`,
      `550 5.7.1 This server takes mail for ${MAIL_DOMAIN} only. Send to the address of your test, or create one at https://test.example.net`,
    ],
    [`${TEST_ID}@[127.0.0.1]`, '550 5.7.1 This server takes mail for'],
    [
      `postmaster@${MAIL_DOMAIN}`,
      '551 5.1.6 Nobody reads mail to this address. Write to help@example.net instead.',
    ],
    ['postmaster', '551 5.1.6 Nobody reads'],
    [`abuse@${MAIL_DOMAIN}`, '551 5.1.6 Nobody reads'],
  ])('%s', async (to, reply) => {
    const environment = await smtpEnvironment();
    const { last } = await environment.upTo('RCPT', to);
    expect(last).toContain(reply);
  });

  test('a second one goes separately; the first one’s mail goes on', async () => {
    const environment = await smtpEnvironment();
    const { client } = await environment.upTo('RCPT');
    const second =
      '452 4.5.3 Only one recipient is taken for each mail. Send the others a mail of their own.';
    expect(await client.send(`RCPT TO:<bbbbbbbbbbbb@${MAIL_DOMAIN}>`)).toBe(second);
    expect(await client.send(`RCPT TO:<${ADDRESS}>`)).toBe(second);
    await client.send('DATA');
    client.write(`${MAIL}.\r\n`);
    expect(await client.reply()).toBe(
      `250 2.0.0 Your mail is analysed and its report is ready. ${PAGE}`,
    );
  });

  test('one that is refused leaves the place to the next', async () => {
    const environment = await smtpEnvironment();
    const { client } = await environment.upTo('RCPT', `zzzzzzzzzzzz@${MAIL_DOMAIN}`);
    expect(await client.send(`RCPT TO:<${ADDRESS}>`)).toBe('250 Accepted');
  });

  test('is not asked for before MAIL, nor MAIL before EHLO', async () => {
    const environment = await smtpEnvironment();
    const client = await environment.connect();
    expect(await client.send('MAIL FROM:<sender@example.com>')).toMatch(/^503 /);
    await client.send('EHLO mail.example.com');
    expect(await client.send(`RCPT TO:<${ADDRESS}>`)).toMatch(/^503 /);
    expect(await client.send('DATA')).toMatch(/^503 /);
  });
});

describe('the state of the test', () => {
  const arrived = anEvent('MailArrived', 60);

  test.each([
    ['processing', [arrived], 61, '451 4.3.0 An earlier copy of this mail is being analysed.'],
    ['closed', [anEvent('WindowClosed', 3600)], 3601, '550 5.7.1 This test address is closed'],
    ['past its window', [], 3600, '550 5.7.1 This test address is closed'],
    ['expired', [anEvent('Expired', 86_400)], 86_401, '550 5.1.1 There is no test'],
    ['ready', [arrived, anEvent('AnalysisDone', 61)], 62, '250 Accepted'],
  ])('%s answers at RCPT', async (_, events, seconds, reply) => {
    const environment = await smtpEnvironment();
    await environment.append(...events);
    environment.time.now = T0 + seconds * 1000;
    const { last } = await environment.upTo('RCPT');
    expect(last).toContain(reply);
  });

  test('used: the same mail gets 250 again, another one 550', async () => {
    const environment = await smtpEnvironment();
    expect(await environment.deliver(MAIL)).toBe(
      `250 2.0.0 Your mail is analysed and its report is ready. ${PAGE}`,
    );
    expect(await environment.deliver(MAIL)).toBe(
      `250 2.0.0 This mail was analysed before, and its report is ready. ${PAGE}`,
    );
    expect(await environment.deliver(`${MAIL}more`)).toBe(
      '550 5.7.1 This test address has received its one mail. For another mail, create a new test at https://test.example.net',
    );
    expect(environment.types()).toEqual(['TestCreated', 'MailArrived', 'AnalysisDone']);
  });

  test('a log that is away is a temporary failure', async () => {
    const environment = await smtpEnvironment();
    environment.tests.disconnect();
    const { last } = await environment.upTo('RCPT');
    expect(last).toBe(
      '451 4.3.0 A fault of this service, not of your mail. Try again in a few minutes.',
    );
  });
});

describe('after the data', () => {
  test('refused, then fixed and sent again in the same session', async () => {
    const environment = await smtpEnvironment();
    environment.inspection.gate = async () => ({ ...refused, blocklists: [] });
    const { client } = await environment.upTo('DATA');
    client.write(`${MAIL}.\r\n`);
    expect(await client.reply()).toBe(
      `550 5.7.26 Refused: SPF is fail for example.com from 192.0.2.25, and DKIM is missing. If 192.0.2.25 is yours, list it in the SPF record, or sign with DKIM, and send again before ${instant(960).slice(11, 16)} UTC. Details: ${PAGE}`,
    );
    environment.inspection.gate = async () => ({ ...refused, blocklists: [], resolverDown: true });
    const again = ['MAIL FROM:<sender@example.com>', `RCPT TO:<${ADDRESS}>`, 'DATA'];
    await client.sendAll(...again);
    client.write(`${MAIL}.\r\n`);
    expect(await client.reply()).toBe(
      '451 4.4.3 The DNS resolver of this service does not answer. Try again in a few minutes.',
    );
  });

  test('failed for good', async () => {
    const environment = await smtpEnvironment();
    environment.inspection.facts = async () => 'lost';
    expect(await environment.deliver(MAIL)).toBe(
      '250 2.0.0 Received, but the analysis failed. The same mail would fail again: create a new test at https://test.example.net',
    );
  });

  test('an analysis longer than the idle limit is waited for', async () => {
    const environment = await smtpEnvironment({ limits: { idleMs: 500 } });
    environment.inspection.facts = async () => {
      await new Promise((resolve) => setTimeout(resolve, 900));
      return 'lost';
    };
    expect(await environment.deliver(MAIL)).toMatch(/^250 2\.0\.0 Received/);
  });
});

describe('the size', () => {
  test('declared too large is refused at MAIL', async () => {
    const environment = await smtpEnvironment();
    const client = await environment.connect();
    expect(await client.send('EHLO mail.example.com')).toContain('250 SIZE 524288');
    expect(await client.send('MAIL FROM:<sender@example.com> SIZE=524289')).toMatch(/^552 /);
    expect(await client.send('MAIL FROM:<sender@example.com> SIZE=524288')).toMatch(/^250 /);
    expect(await client.send(`RCPT TO:<${ADDRESS}>`)).toBe('250 Accepted');
    expect(environment.mailBuffer.bytes()).toBe(0);
  });

  test('too large without a word is refused at the end, and the session goes on', async () => {
    const environment = await smtpEnvironment();
    const { client } = await environment.upTo('DATA');
    client.write(`${MAIL}${'a'.repeat(600_000)}\r\n.\r\n`);
    expect(await client.reply()).toBe(
      '552 5.3.4 Your mail is larger than the limit of 524288 bytes. Send a smaller one to the same address.',
    );
    expect(await client.send('NOOP')).toMatch(/^250 /);
    expect(environment.types()).toEqual(['TestCreated']);
  });

  test('far too large is cut off', async () => {
    const environment = await smtpEnvironment({
      environment: { settings: { maxMessageBytes: 1024 } },
    });
    const { client } = await environment.upTo('DATA');
    client.write('a'.repeat(100_000));
    expect(await client.closed).toBe('');
    expect(environment.mailBuffer.bytes()).toBe(0);
  });

  test.each([
    ['header size in bytes', 262_144, `X: ${'a'.repeat(60_000)}\r\n`.repeat(5)],
    ['number of header fields', 1000, 'X: a\r\n'.repeat(1001)],
    ['header field size in bytes', 65_536, `X: ${'a'.repeat(70_000)}\r\n`],
  ])('%s over its limit is malformed', async (what, limit, header) => {
    const environment = await smtpEnvironment();
    expect(await environment.deliver(`${header}\r\nbody`)).toBe(
      `554 5.6.0 Refused: ${what} is over the limit of ${limit}. Send a mail within it to the same address.`,
    );
  });

  test('an empty message is refused', async () => {
    const environment = await smtpEnvironment();
    const { client } = await environment.upTo('DATA');
    client.write('.\r\n');
    expect(await client.reply()).toBe(
      '554 5.6.0 Refused: the message is empty. Send one with a header and a body.',
    );
  });

  test('no memory at the end of the data', async () => {
    const environment = await smtpEnvironment({ environment: { mailMemoryBytes: 100_000 } });
    const first = await environment.upTo('RCPT');
    expect(first.last).toBe('250 Accepted');
    await first.client.send('DATA');
    first.client.write(`${MAIL.padEnd(90_000, 'a')}\r\n.\r\n`);
    expect(await first.client.reply()).toBe(
      '452 4.3.1 This service holds as much mail as it can. Try again in a few minutes.',
    );
  });
});

test('the null sender and a UTF-8 sender are accepted, their local parts in no event', async () => {
  const environment = await smtpEnvironment();
  const client = await environment.connect();
  await client.send('EHLO mail.example.com');
  const utf8 = Buffer.from('MAIL FROM:<j\u00f6rg@b\u00fccher.example> SMTPUTF8').toString('latin1');
  await client.sendAll(utf8, `RCPT TO:<${ADDRESS}>`, 'RSET');
  await client.sendAll('MAIL FROM:<>', `RCPT TO:<${ADDRESS}>`, 'DATA');
  client.write(`${MAIL}.\r\n`);
  expect(await client.reply()).toMatch(/^250 2/);
  expect(environment.envelopes.map(({ from }) => from)).toEqual([
    { localPart: 'j\u00f6rg', domain: 'xn--bcher-kva.example', smtputf8: true },
    { localPart: '', domain: '', smtputf8: false },
  ]);
  expect(environment.tests.all()[1]?.event.data).toMatchObject({ envelope_domain: '' });
});
