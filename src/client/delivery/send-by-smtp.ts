/** Sends the email of a test, the user's own or a default one, through the user's SMTP server. */

import { CommandError } from '../exit.ts';

/** Maximum time in milliseconds that the server may stay silent. */
const SILENCE_MS = 60_000;

export interface SmtpDelivery {
  /** URL of the SMTP server: `smtp://user:password@host:587`, or `smtps://`. */
  readonly url: string;
  /** The envelope sender, which is also in the From field unless `mail` is given. */
  readonly from: string;
  /** An email to send instead of the default one. `{address}` in it is replaced with the recipient. */
  readonly mail: Buffer | undefined;
}

const madeMail = (from: string, to: string): string =>
  [
    `From: <${from}>`,
    `To: <${to}>`,
    'Subject: Deliverability test',
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${crypto.randomUUID()}@${from.split('@')[1]}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'This email was sent to test how well mail from this server is delivered.',
    'You can delete it.',
    '',
  ].join('\r\n');

/**
 * Sends one email through the user's own server, as the user's application does.
 *
 * @throws CommandError with the server's reply
 */
export async function sendBySmtp(
  { url, from, mail }: SmtpDelivery,
  address: string,
): Promise<string> {
  const raw = mail === undefined ? madeMail(from, address) : addressed(mail, address);
  const { protocol, hostname, port, username, password } = new URL(url);
  // The SMTP library is loaded only when it is needed, so that other commands start faster.
  const { default: SmtpConnection } = await import('nodemailer/lib/smtp-connection/index.js');
  const connection = new SmtpConnection({
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port: Number(port) }),
    secure: protocol === 'smtps:',
    // The certificate is checked only if there is a password to protect, as is usual between mail servers.
    tls: { rejectUnauthorized: username !== '' },
    socketTimeout: SILENCE_MS,
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
  });
  const failed = new Promise<never>((_, reject) => connection.once('error', reject));
  const step = <T>(run: (done: (error?: Error | null, result?: T) => void) => void) =>
    new Promise<T>((resolve, reject) => {
      run((error, result) => (error ? reject(error) : resolve(result as T)));
    });
  const deliver = async () => {
    await step((done) => connection.connect(done));
    const credentials = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
    if (username !== '') await step((done) => connection.login({ credentials }, done));
    return step<{ readonly response: string }>((done) =>
      connection.send({ from, to: [address] }, raw, done),
    );
  };
  try {
    return (await Promise.race([deliver(), failed])).response;
  } catch (error) {
    // The message of an error of OpenSSL also contains addresses in memory and lines of its source.
    const { response, message, reason } = error as Error & { response?: string; reason?: string };
    throw new CommandError(
      'mail_not_sent',
      response
        ? `The --smtp mail server refused the email: ${response}`
        : `The --smtp mail server did not accept the email: ${reason ?? message}`,
    );
  } finally {
    connection.close();
  }
}

// Returns the email with the test's address instead of `{address}`. Decoding as latin1 preserves every byte.
const addressed = (mail: Buffer, address: string): Buffer =>
  Buffer.from(mail.toString('latin1').replaceAll('{address}', address), 'latin1');
