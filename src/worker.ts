import { verifyMail } from './adapters/mailauth/verify.ts';
import type { FromWorker, WorkerTask } from './adapters/worker-pool/protocol.ts';
import { askThrough } from './adapters/worker-pool/worker-dns.ts';
import { describeError } from './domain/describe-error.ts';
import { readAuthentication, readContentPart } from './inspection/read-parts.ts';
import type { ContentPart, MailJob } from './ports/reading.ts';
import type { CheckCertificate } from './ports/web.ts';

/**
 * Reads one mail in a worker thread: first its signatures, then its content. A part that breaks is
 * `null`, and nothing is logged here: the words of an error could be the mail's.
 */
export async function read({ mail: moved, job, port }: WorkerTask): Promise<void> {
  const send = (message: FromWorker) => port.postMessage(message);
  send({ kind: 'begun' });
  const mail = toFixedLength(moved);
  try {
    const ask = askThrough(port);
    const verify = () => verifyMail(mail, job, ask);
    const value = await readAuthentication(mail, job, verify).catch((error: unknown) => {
      send({ kind: 'defect', value: { part: 'authentication', ...describeError(error) } });
      return null;
    });
    send({ kind: 'authentication', value });
    send({ kind: 'content', value: readContent(mail, job, send) });
  } finally {
    new Uint8Array(mail.buffer).fill(0);
    port.close();
  }
}

function readContent(
  mail: Uint8Array<ArrayBuffer>,
  job: MailJob,
  send: (message: FromWorker) => void,
): ContentPart | null {
  try {
    return readContentPart(mail, job);
  } catch (error) {
    send({ kind: 'defect', value: { part: 'content', ...describeError(error) } });
    return null;
  }
}

/** A buffer that could still grow is read several times slower, byte by byte. */
function toFixedLength(mail: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(mail);
  mail.fill(0);
  mail.buffer.transfer(0);
  return copy;
}

/** Judges a BIMI certificate: what is compressed in it is for a worker to unfold. */
export const checkCertificate: CheckCertificate = async (certificate) => {
  // Few mails have one, and its parsers are most of what a worker would load at its start.
  const { readCertificate } = await import('./adapters/mailauth/certificate.ts');
  return readCertificate(certificate);
};
