import type { TestStatus } from '../../api/schemas/tests.ts';
import { CommandError, EXIT } from '../exit.ts';
import { plainLine } from '../formats/plain-text.ts';
import { readStatus, type ServiceOptions } from './service-client.ts';

interface Waiting {
  /** Seconds in all. */
  readonly timeout: number;
  /** Whether a refusal ends the waiting: nobody is there to send the mail again. */
  readonly stopAtRefusal: boolean;
}

/** Why there is no report, a line each. */
export const reasonsOf = ({ refusal }: Pick<TestStatus, 'refusal'>): string =>
  [...(refusal?.reasons ?? []), ...(refusal?.reasons_possible ?? [])]
    .map(({ code, detail }) => `\n  ${plainLine(`${code}: ${detail}`)}`)
    .join('');

/** @throws CommandError when the test ended without a report */
function judgeEnd(status: TestStatus): void {
  if (status.status === 'rejected_or_not_received')
    throw new CommandError(
      EXIT.notReceived,
      status.refusal?.reasons
        ? `The mail was refused.${reasonsOf(status)}`
        : `No mail arrived. Possible reasons:${reasonsOf(status)}`,
    );
  if (status.status === 'analysis_failed')
    throw new CommandError(
      EXIT.serviceAway,
      status.failure?.detail ?? 'The analysis of the mail failed.',
    );
}

/**
 * Follows a test until its report is ready. Waits at the service where it grants that, and polls else.
 *
 * @throws CommandError when there will be no report, or not in time
 */
export async function awaitResult(
  service: ServiceOptions,
  testId: string,
  { timeout, stopAtRefusal }: Waiting,
): Promise<TestStatus> {
  const end = performance.now() + timeout * 1000;
  const left = () => (end - performance.now()) / 1000;
  let last = '';
  let seen = '';
  for (let isFirst = true; ; isFirst = false) {
    const read = await readStatus(service, testId, isFirst ? 0 : left(), seen);
    const { status, waited } = read;
    seen = read.position;
    const refused = status.status === 'waiting' && status.refusal !== undefined;
    const word = refused ? 'refused' : status.status;
    if (word !== last) service.note(describeStatus(status));
    last = word;
    judgeEnd(status);
    if (status.status === 'ready') return status;
    if (refused && stopAtRefusal)
      throw new CommandError(EXIT.notReceived, `The mail was refused.${reasonsOf(status)}`);
    if (left() <= 0)
      throw new CommandError(
        EXIT.notReceived,
        status.status === 'waiting'
          ? `No mail arrived within ${timeout} s. Look for it in the log of your mail server.`
          : `The report was not ready within ${timeout} s.`,
      );
    if (!waited && !isFirst)
      await service.pause(Math.min(status.poll_after_seconds || 1, Math.max(0, left())));
  }
}

function describeStatus(status: TestStatus): string {
  if (status.status === 'waiting' && status.refusal)
    return `The mail was refused.${reasonsOf(status)}\nFix the cause and send it again before ${status.refusal.send_again_before ?? status.send_before}.`;
  if (status.status === 'waiting') return 'Waiting for the mail.';
  if (status.status === 'processing') return 'The mail arrived and is being analysed.';
  return status.status === 'ready' ? 'The report is ready.' : 'The test ended.';
}
