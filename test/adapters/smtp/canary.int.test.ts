/** Tests that no part of an email stays in the log or in memory after an SMTP session. */

import { expect, test } from 'vitest';
import { facts } from '../../support/mail/facts.ts';
import { ADDRESS, refused } from '../../support/mail/mail-environment.ts';
import { smtpEnvironment } from '../../support/mail/smtp-environment.ts';

const CANARY = 'kanarienvogel';
const MAIL = [
  `From: "${CANARY} name" <${CANARY}-from@example.com>`,
  `To: <${ADDRESS}>`,
  `Subject: ${CANARY} subject`,
  `Message-ID: <${CANARY}-id@example.com>`,
  `X-${CANARY}: ${CANARY} header`,
  '',
  `${CANARY} body https://example.com/${CANARY}-path`,
  '',
].join('\r\n');

type Environment = Awaited<ReturnType<typeof smtpEnvironment>>;

const ways: Record<string, (environment: Environment) => void> = {
  analysed: () => {},
  refused: ({ inspection }) => {
    inspection.gate = async () => refused;
  },
  'a defect in the gate': ({ inspection }) => {
    inspection.gate = () => Promise.reject(new Error(MAIL, { cause: new Error(MAIL) }));
  },
  'a defect in the analysis': ({ inspection }) => {
    inspection.facts = () => Promise.reject(Object.assign(new Error(MAIL), { mail: MAIL }));
  },
  'an analysis that is lost': ({ inspection }) => {
    inspection.facts = async () => 'lost';
  },
  'a log that is full': ({ tests }) => tests.failNext('full'),
  'a log that does not answer at the end': ({ inspection, tests }) => {
    inspection.facts = async () => {
      tests.failNext('unknown');
      return facts();
    };
  },
};

test.each(Object.entries(ways))('%s: no part of the email remains anywhere', async (_, prepare) => {
  const environment = await smtpEnvironment();
  prepare(environment);
  const client = await environment.connect();
  const replies = [
    await client.send(`EHLO ${CANARY}@example.com`),
    await client.send(`MAIL FROM:<${CANARY}-from@example.com>`),
    await client.send(`RCPT TO:<${CANARY}-to@in.example.net>`),
    await client.send(`RCPT TO:<${CANARY}-to@example.org>`),
    await client.send(`VRFY ${CANARY}`),
    await client.send(`RCPT TO:<${ADDRESS}>`),
    await client.send('DATA'),
  ];
  client.write(`${MAIL}.\r\n`);
  replies.push(await client.reply());

  // An address instead of the HELO name is recognized as no name, and is kept nowhere.
  expect(environment.envelopes[0]?.client.helo).toBe('');
  // The capture works, because these lines would contain the canary.
  expect(environment.inspection.texts[0]).toContain(CANARY);
  expect(environment.lines.length).toBeGreaterThan(0);
  const events = [...environment.tests.all(), ...environment.reports.all()];
  for (const place of [environment.lines, events, replies, environment.outcomes])
    expect(JSON.stringify(place).toLowerCase()).not.toContain(CANARY);
  expect(environment.mailBuffer.bytes()).toBe(0);
});

test('a connection that breaks leaves no address in the log', async () => {
  const environment = await smtpEnvironment();
  const client = await environment.connect();
  await client.sendAll('EHLO mail.example.com', `MAIL FROM:<${CANARY}@example.com>`);
  client.write('STARTTLS\r\n');
  await client.reply();
  client.write('no TLS hello at all\r\n');
  await client.closed;
  await expect
    .poll(() => environment.lines.map(({ msg }) => msg))
    .toContain('smtp connection failed');
  expect(JSON.stringify(environment.lines)).not.toMatch(
    new RegExp(`${CANARY}|127\\.0\\.0\\.1|example`),
  );
});
