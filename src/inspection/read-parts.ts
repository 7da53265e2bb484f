import { createInputGuard } from '../analysis/mail/input-guard.ts';
import { readMail } from '../analysis/mail/read-mail.ts';
import type { AuthenticationPart, ContentPart, MailJob } from '../ports/reading.ts';

/** The first part of a reading: what the signatures prove, unless a line is too long to be hashed. */
export async function readAuthentication(
  mail: Uint8Array<ArrayBuffer>,
  job: MailJob,
  verify: () => Promise<AuthenticationPart>,
): Promise<AuthenticationPart> {
  const guard = createInputGuard();
  guard.push(mail.subarray(job.ownFrom));
  if (!guard.result().bodyLineTooLong) return verify();
  return {
    signatures: [],
    arc: { status: 'unknown', error: 'arc: not evaluated: a body line is over 1 MiB' },
    sealVerified: null,
    bodyLineTooLong: true,
  };
}

/** The second part: what the mail holds. */
export function readContentPart(
  mail: Uint8Array<ArrayBuffer>,
  { ownFrom, context }: MailJob,
): ContentPart {
  const { headers, content, links } = readMail(mail.subarray(ownFrom), context);
  return { headers, content, links };
}
