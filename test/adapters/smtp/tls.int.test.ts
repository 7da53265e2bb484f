/** Tests STARTTLS on the SMTP server, and how the TLS version of a client is recorded. */

import { expect, test } from 'vitest';
import { ADDRESS, MAIL_DOMAIN } from '../../support/mail/mail-environment.ts';
import { smtpEnvironment } from '../../support/mail/smtp-environment.ts';

const steps = ['EHLO mail.example.com', 'MAIL FROM:<sender@example.com>', `RCPT TO:<${ADDRESS}>`];

test('STARTTLS is offered with a key pair made at the start, and not required', async () => {
  const environment = await smtpEnvironment({ certificate: null, privateKey: null });
  const client = await environment.connect();
  expect(await client.send('EHLO mail.example.com')).toContain('STARTTLS');
  const secure = await client.startTls();
  expect(secure.getPeerCertificate().subject).toMatchObject({ CN: MAIL_DOMAIN });
  const plain = await environment.upTo('RCPT');
  expect(plain.last).toBe('250 2.1.5 The recipient is accepted.');
  expect(environment.envelopes[0]?.client.tls).toEqual({
    status: 'plaintext',
    version: null,
    cipher: null,
  });
});

test.each([
  ['TLSv1.3', undefined, /^TLS_/],
  ['TLSv1.2', undefined, /^ECDHE-RSA/],
  // The cipher is as old as SSLv3, but the version in use is what counts.
  ['TLSv1.2', 'AES256-SHA:@SECLEVEL=0', /^AES256-SHA$/],
  ['TLSv1.1', 'DEFAULT:@SECLEVEL=0', /./],
  ['TLSv1', 'DEFAULT:@SECLEVEL=0', /./],
] as const)('%s is accepted and reported', async (maxVersion, ciphers, cipher) => {
  const environment = await smtpEnvironment();
  const client = await environment.connect();
  await client.send('EHLO mail.example.com');
  await client.startTls({ maxVersion, ...(ciphers && { ciphers }) });
  expect(await client.sendAll(...steps)).toBe('250 2.1.5 The recipient is accepted.');
  expect(environment.envelopes[0]?.client.tls).toEqual({
    status: 'tls',
    version: maxVersion,
    cipher: expect.stringMatching(cipher),
  });
});
