import { expect, test } from 'vitest';
import { ADDRESS, MAIL_DOMAIN } from '../../support/mail/mail-environment.ts';
import { smtpEnvironment } from '../../support/mail/smtp-environment.ts';

const steps = ['EHLO mail.example.com', 'MAIL FROM:<sender@example.com>', `RCPT TO:<${ADDRESS}>`];

test('STARTTLS is offered with a pair made at the start, and not required', async () => {
  const environment = await smtpEnvironment({ certificate: null, privateKey: null });
  const client = await environment.connect();
  expect(await client.send('EHLO mail.example.com')).toContain('STARTTLS');
  const secure = await client.startTls();
  expect(secure.getPeerCertificate().subject).toMatchObject({ CN: MAIL_DOMAIN });
  const plain = await environment.upTo('RCPT');
  expect(plain.last).toBe('250 Accepted');
  expect(environment.envelopes[0]?.client.tls).toEqual({
    status: 'plaintext',
    version: null,
    cipher: null,
  });
});

test.each([
  ['TLSv1.3', undefined, /^TLS_/],
  ['TLSv1.2', undefined, /^ECDHE-RSA/],
  // A cipher as old as SSLv3: what counts is the version in use.
  ['TLSv1.2', 'AES256-SHA:@SECLEVEL=0', /^AES256-SHA$/],
  ['TLSv1.1', 'DEFAULT:@SECLEVEL=0', /./],
  ['TLSv1', 'DEFAULT:@SECLEVEL=0', /./],
] as const)('%s is let in and reported', async (maxVersion, ciphers, cipher) => {
  const environment = await smtpEnvironment();
  const client = await environment.connect();
  await client.send('EHLO mail.example.com');
  await client.startTls({ maxVersion, ...(ciphers && { ciphers }) });
  expect(await client.sendAll(...steps)).toBe('250 Accepted');
  expect(environment.envelopes[0]?.client.tls).toEqual({
    status: 'tls',
    version: maxVersion,
    cipher: expect.stringMatching(cipher),
  });
});

test('what was said before STARTTLS counts no more', async () => {
  const environment = await smtpEnvironment({ limits: { sweepMs: 20 } });
  const { client } = await environment.upTo('RCPT');
  await client.startTls();
  expect(await client.send('DATA')).toMatch(/^503 /);
  await expect.poll(() => environment.mailBuffer.bytes()).toBe(0);
});

test('commands smuggled in behind STARTTLS are not run', async () => {
  const environment = await smtpEnvironment();
  const client = await environment.connect();
  await client.send('EHLO mail.example.com');
  client.write('STARTTLS\r\nEHLO evil.example\r\n');
  expect(await client.reply()).toMatch(/^220 /);
  const rest = Promise.race([
    client.reply(),
    new Promise((resolve) => setTimeout(resolve, 100, 'none')),
  ]);
  expect(await rest).toBe('none');
});
