/** Implements the MCP tool `test_mail`, which runs a whole test over several calls. */

import type { CallToolResult } from '@modelcontextprotocol/server';
import type { CreatedTest, TestStatus } from '../api/schemas/tests.ts';
import { reasonInWords } from '../domain/refusal-remedy.ts';
import { type BuyReport, lacksToken, obtainReport, type ReadReport } from './read-report-tool.ts';
import { dataResult, problemResult, refusal, withReceipt } from './results.ts';
import { DEFAULT_WAIT_SECONDS, type TestMailAnswer } from './schemas.ts';
import { type ServiceCall, waitForChange } from './service-call.ts';
import { summarize, verdictOf } from './summary.ts';

/** The members of the API's response that we use. */
type Standing = Pick<TestStatus, 'status' | 'send_before' | 'refusal' | 'failure'>;

interface TestMail {
  readonly call: ServiceCall;
  readonly buy: BuyReport | null;
  readonly assertCanPay?: () => Promise<void>;
  /** Tells a waiting client the reason for the wait. */
  readonly progress: (sentence: string) => Promise<void>;
}

interface Arguments {
  readonly test_id?: string | undefined;
  readonly read_token?: string | undefined;
  readonly seconds?: number | undefined;
}

/**
 * Returns the result of a call. Many clients show their model only the text, so it contains everything that
 * the next call needs.
 */
function result(output: TestMailAnswer, text = output.next): CallToolResult {
  const reasons = (output.reasons ?? []).map(reasonInWords);
  return dataResult([text, ...reasons].join('\n'), output);
}

/**
 * Runs a whole test with one tool: the first call creates it and says where to send the email. The next calls
 * wait for the report, and the last one returns the verdict and the fix plan.
 */
export async function testMailTool(
  { test_id, read_token, seconds = DEFAULT_WAIT_SECONDS }: Arguments,
  meta: Readonly<Record<string, unknown>> | undefined,
  { call, buy, assertCanPay, progress }: TestMail,
): Promise<CallToolResult> {
  if (test_id === undefined && read_token !== undefined)
    return refusal(
      'invalid_request',
      'The argument test_id is missing. Pass the test_id that came with the read_token, or omit both to create a new test.',
    );
  if (test_id === undefined) {
    // The wallet is checked first, so that no email is sent for a report that could not be read.
    await assertCanPay?.();
    return create(call);
  }
  if (lacksToken({ test_id, read_token }))
    return refusal(
      'invalid_request',
      'The argument read_token is missing. Pass the read_token that came with the test_id.',
    );
  await progress('Waiting for the email and its report.');
  const answer = await waitForChange(call, test_id, seconds);
  if (answer.status !== 200) return problemResult(answer);
  const standing = answer.body as Standing;
  if (standing.status !== 'ready') return result(toOutput(test_id, standing));
  await progress('The report is ready and is being read.');
  const read = await obtainReport({ test_id, read_token }, meta, { call, buy, tool: 'test_mail' });
  if (!('report' in read)) return read as CallToolResult;
  const { report, receipt } = read as ReadReport;
  const next = 'Follow fix_plan in order, then test again. delete_test deletes this report.';
  const verdict = verdictOf(report);
  return withReceipt(
    result({ stage: 'ready', test_id, verdict, next }, summarize(report)),
    receipt,
  );
}
async function create(call: ServiceCall): Promise<CallToolResult> {
  const answer = await call('POST', '/v1/tests');
  if (answer.status !== 201) return problemResult(answer);
  const { test_id, read_token, address, send_before } = answer.body as CreatedTest;
  const next = `Have one real email sent to ${address} from the system under test before ${send_before}, then call test_mail with the test_id ${test_id} and the read_token ${read_token}.`;
  return result({ stage: 'send_mail', test_id, read_token, address, send_before, next });
}

function toOutput(test_id: string, { status, send_before, ...more }: Standing): TestMailAnswer {
  const { refusal: refused, failure } = more;
  const reasons = refused?.reasons ?? refused?.reasons_possible ?? (failure && [failure]);
  const about = { test_id, ...(reasons && { reasons }) };
  if (status === 'processing')
    return {
      ...about,
      stage: 'analysing',
      next: 'Call test_mail again: the email is being analysed.',
    };
  if (status !== 'waiting')
    return {
      ...about,
      stage: 'no_report',
      next: 'There is no report. Call test_mail without a test_id.',
    };
  const until = refused?.send_again_before ?? send_before;
  return refused
    ? {
        ...about,
        stage: 'refused',
        send_before: until,
        next: `The email was refused. Fix the reasons, have it sent again before ${until}, and call test_mail again.`,
      }
    : {
        ...about,
        stage: 'waiting',
        send_before,
        next: 'No email has arrived yet. Check that it was sent, and call test_mail again.',
      };
}
