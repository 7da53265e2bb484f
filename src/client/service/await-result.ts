/** Waits until the service has the report of a test, and explains in an error why there is none. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { TestStatus } from '../../api/schemas/tests.ts';
import { type GivenReason, reasonInWords } from '../../domain/refusal-remedy.ts';
import { about, CommandError } from '../exit.ts';
import { plainLine } from '../formats/plain-text.ts';
import { withProgress } from '../with-progress.ts';
import { readStatus, type ServiceOptions } from './service-client.ts';

interface Waiting {
  /** Maximum time to wait in total, in seconds. */
  readonly timeout: number;
  /** True if a refusal ends the wait, because nobody is available to send the email again. */
  readonly stopAtRefusal: boolean;
}

const reasonsIn = ({ refusal }: Pick<TestStatus, 'refusal'>): GivenReason[] =>
  (refusal?.reasons ?? refusal?.reasons_possible ?? []).map(({ code, detail, remedy, record }) => ({
    code: plainLine(code),
    detail: plainLine(detail),
    ...(remedy && { remedy: plainLine(remedy) }),
    ...(record && {
      record: {
        name: plainLine(record.name),
        type: plainLine(record.type),
        value: plainLine(record.value),
      },
    }),
  }));

/** Lists the reasons why there is no report, and what to do about each. */
const reasonLines = (status: Pick<TestStatus, 'refusal'>): string =>
  reasonsIn(status)
    .map((reason) => `\n${reasonInWords(reason)}`.replaceAll('\n', '\n  '))
    .join('');

/**
 * Returns the error for an email that the service has seen and not accepted. `more` is the reply that the
 * sender received.
 */
export const refused = (status: Pick<TestStatus, 'refusal'>, more = '') =>
  new CommandError('mail_refused', `The email was refused.${reasonLines(status)}${more}`, {
    reasons: reasonsIn(status),
  });

/**
 * Judges the final status of a test.
 * @throws CommandError if the test ended without a report
 */
function judgeEnd(status: TestStatus): void {
  const { status: test_status } = status;
  if (status.status === 'rejected_or_not_received') {
    if (status.refusal?.reasons) throw refused(status);
    throw new CommandError(
      'mail_not_received',
      `No email arrived. Possible reasons:${reasonLines(status)}`,
      { test_status, reasons: reasonsIn(status) },
    );
  }
  if (status.status === 'analysis_failed') {
    const { failure } = status;
    throw new CommandError(
      'analysis_failed',
      failure?.detail ?? 'The analysis of the email failed.',
      { test_status, ...(failure && { reasons: [failure] }) },
    );
  }
}

/**
 * Follows a test until its report is ready. It uses long polling if the service allows that, and ordinary
 * polling otherwise.
 *
 * @throws CommandError if there will be no report, or not in time
 */
export async function awaitResult(
  service: ServiceOptions,
  testId: string,
  waiting: Waiting,
): Promise<TestStatus> {
  let isArrived = false;
  const onStatus = (status: TestStatus) => {
    isArrived = status.status !== 'waiting';
  };
  const describe = (seconds: number) =>
    `${isArrived ? 'Still waiting for the report' : 'Still waiting for the email'}: ${seconds} s of at most ${waiting.timeout} s.`;
  return withProgress(service.note, describe, () =>
    follow(service, testId, { ...waiting, onStatus }).catch(about(testId)),
  );
}

async function follow(
  service: ServiceOptions,
  testId: string,
  { timeout, stopAtRefusal, onStatus }: Waiting & { onStatus: (status: TestStatus) => void },
): Promise<TestStatus> {
  const end = performance.now() + timeout * 1000;
  const left = () => (end - performance.now()) / 1000;
  let last = '';
  let seen = '';
  for (let isFirst = true; ; isFirst = false) {
    const read = await readStatus(service, testId, isFirst ? 0 : left(), seen);
    const { status, waited } = read;
    seen = read.position;
    onStatus(status);
    const isRefused = status.status === 'waiting' && status.refusal !== undefined;
    const word = isRefused ? 'refused' : status.status;
    if (word !== last) service.note(describeStatus(status));
    last = word;
    judgeEnd(status);
    if (status.status === 'ready') return status;
    if (isRefused && stopAtRefusal) throw refused(status);
    if (left() <= 0) throw tooLate(status, timeout);
    if (!waited && !isFirst)
      await sleep(1000 * Math.min(status.poll_after_seconds || 1, Math.max(0, left())));
  }
}

/**
 * Adds the reasons why there is no report to the error of a command that could not read it. Only the status
 * of the test states them.
 */
export const withReasons =
  (service: ServiceOptions, testId: string) =>
  async (error: unknown): Promise<never> => {
    if (!(error instanceof CommandError) || error.code !== 'report_not_ready') throw error;
    const status = await readStatus(service, testId).then(
      (read) => read.status,
      () => undefined,
    );
    if (!status?.refusal) throw error;
    const reasons = reasonsIn(status);
    const message = `${error.message}${reasonLines(status)}`;
    throw new CommandError(error.code, message, { ...error.details, reasons });
  };

function tooLate(status: TestStatus, seconds: number): CommandError {
  if (status.refusal) return refused(status);
  return status.status === 'waiting'
    ? new CommandError(
        'mail_not_received',
        `No email arrived within ${seconds} s. Look for it in the log of your mail server.`,
      )
    : new CommandError('report_not_ready', `The report was not ready within ${seconds} s.`, {
        test_status: status.status,
      });
}

function describeStatus(status: TestStatus): string {
  if (status.status === 'waiting' && status.refusal)
    return `The email was refused.${reasonLines(status)}\nFix the cause and send it again before ${status.refusal.send_again_before ?? status.send_before}.`;
  if (status.status === 'waiting') return 'Waiting for the email.';
  if (status.status === 'processing') return 'The email arrived and is being analysed.';
  return status.status === 'ready' ? 'The report is ready.' : 'The test ended.';
}
