/** Tests the SMTP replies to emails, for each state of a test. */

import { createTransport } from 'nodemailer';
import { describe, expect, test } from 'vitest';
import { ADDRESS, MAIL, refused } from '../../support/mail/mail-environment.ts';
import { smtpEnvironment } from '../../support/mail/smtp-environment.ts';
import { instant, TEST_ID } from '../../support/process/instants.ts';

const PAGE = `https://test.example.net/t/${TEST_ID}`;

test('an email sent by an ordinary client is analysed', async () => {
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
  expect(sent.response).toBe(`250 2.0.0 Your email was analysed and its report is ready. ${PAGE}`);
  expect(environment.tests.all()[1]?.event.data).toMatchObject({
    ip: '127.0.0.1',
    helo: 'mail.example.com',
    tls: 'tls',
    envelope_domain: 'example.com',
    size_bytes: environment.inspection.texts[0]?.length,
  });
  expect(environment.inspection.texts[0]).toContain('A body.\r\n.\r\nwith dots\r\n');
});

describe('the state of the test', () => {
  test('used: the same email gets 250 again, another one gets 550', async () => {
    const environment = await smtpEnvironment();
    expect(await environment.deliver(MAIL)).toBe(
      `250 2.0.0 Your email was analysed and its report is ready. ${PAGE}`,
    );
    expect(await environment.deliver(MAIL)).toBe(
      `250 2.0.0 This email was already analysed, and its report is ready. ${PAGE}`,
    );
    expect(await environment.deliver(`${MAIL}more`)).toBe(
      '550 5.7.1 This test address has already received its one email. To test another, create a new test at https://test.example.net',
    );
    expect(environment.types()).toEqual(['TestCreated', 'MailArrived', 'AnalysisDone']);
  });
});

describe('after the data', () => {
  test('refused, then fixed and sent again in the same session', async () => {
    const environment = await smtpEnvironment();
    environment.inspection.gate = async () => ({ ...refused, blocklists: [] });
    const { client } = await environment.upTo('DATA');
    client.write(`${MAIL}.\r\n`);
    expect(await client.reply()).toBe(
      `550 5.7.26 Refused: SPF is fail for example.com from 192.0.2.25, and DKIM is missing. If 192.0.2.25 is yours, add ip4:192.0.2.25 to the SPF record, or sign with DKIM, and send again before ${instant(960).slice(11, 16)} UTC. Details: ${PAGE}`,
    );
    environment.inspection.gate = async () => ({ ...refused, blocklists: [], resolverDown: true });
    const again = ['MAIL FROM:<sender@example.com>', `RCPT TO:<${ADDRESS}>`, 'DATA'];
    await client.sendAll(...again);
    client.write(`${MAIL}.\r\n`);
    expect(await client.reply()).toBe(
      '451 4.4.3 The DNS resolver of this service is not answering. Try again in a few minutes.',
    );
  });

  test('failed for good', async () => {
    const environment = await smtpEnvironment();
    environment.inspection.facts = async () => 'lost';
    expect(await environment.deliver(MAIL)).toBe(
      '250 2.0.0 Received, but the analysis failed. The same email would fail again: create a new test at https://test.example.net',
    );
  });

  test('an analysis longer than the idle limit is waited for', async () => {
    const environment = await smtpEnvironment({ limits: { idleMs: 800 } });
    environment.inspection.facts = async () => {
      // A client that connects later, and is silent for that long.
      const silent = await environment.connect();
      expect(await silent.closed).toMatch(/^421 /);
      return 'lost';
    };
    expect(await environment.deliver(MAIL)).toMatch(/^250 2\.0\.0 Received/);
  });
});

describe('the size', () => {
  test('far too large is cut off', async () => {
    const environment = await smtpEnvironment({
      environment: { settings: { maxMessageBytes: 1024 } },
    });
    const { client } = await environment.upTo('DATA');
    client.write('a'.repeat(100_000));
    expect(await client.closed).toBe('');
    expect(environment.mailBuffer.bytes()).toBe(0);
  });
});
