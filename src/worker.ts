import { readCertificate } from './adapters/mailauth/certificate.ts';
import { verifyMail } from './adapters/mailauth/verify.ts';
import type { FromWorker, WorkerTask } from './adapters/worker-pool/protocol.ts';
import { askThrough } from './adapters/worker-pool/worker-dns.ts';
import { createInputGuard } from './analysis/mail/input-guard.ts';
import { readMail } from './analysis/mail/read-mail.ts';
import type { AuthenticationPart, CheckCertificate, MailJob, Resolver } from './ports.ts';

/**
 * Reads one mail in a worker thread: first its signatures, then its content. A part that breaks is
 * `null`, and nothing is logged here: the words of an error could be the mail's.
 */
export async function read({ mail, job, port }: WorkerTask): Promise<void> {
  const send = (message: FromWorker) => port.postMessage(message);
  try {
    const ask = askThrough(port);
    const authentication = await authenticate(mail, job, ask).catch(() => null);
    send({ kind: 'authentication', value: authentication });
    send({ kind: 'content', value: readContent(mail, job) });
  } finally {
    new Uint8Array(mail.buffer).fill(0);
    port.close();
  }
}

async function authenticate(
  mail: Uint8Array<ArrayBuffer>,
  job: MailJob,
  ask: Resolver['ask'],
): Promise<AuthenticationPart> {
  const guard = createInputGuard();
  guard.push(mail.subarray(job.ownFrom));
  if (!guard.result().bodyLineTooLong) return verifyMail(mail, job, ask);
  return {
    signatures: [],
    arc: { status: 'unknown', error: 'arc: not evaluated: a body line is over 1 MiB' },
    sealVerified: null,
    bodyLineTooLong: true,
  };
}

function readContent(mail: Uint8Array<ArrayBuffer>, { ownFrom, context }: MailJob) {
  try {
    const { headers, content, links } = readMail(mail.subarray(ownFrom), context);
    return { headers, content, links };
  } catch {
    return null;
  }
}

/** Judges a BIMI certificate: what is compressed in it is for a worker to unfold. */
export const checkCertificate: CheckCertificate = (certificate) => readCertificate(certificate);
