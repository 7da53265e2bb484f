/** Runs `deliverability check`: makes a whole test, from checking the wallet to printing the report. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { CreatedTest } from '../../api/schemas/tests.ts';
import type { CommandConsole } from '../console.ts';
import { criteriaOptions } from '../criteria-options.ts';
import { checkAddress, sendByCommand } from '../delivery/send-by-command.ts';
import type { SmtpDelivery } from '../delivery/send-by-smtp.ts';
import { about, CommandError, type ExitCode, usageError } from '../exit.ts';
import { readOwnFile } from '../files.ts';
import { withCleanUp } from '../interrupt.ts';
import {
  bareAddress,
  paymentOptions,
  readArgs,
  serviceOptions,
  toNumber,
  toPurse,
  toService,
  type ValuesOf,
} from '../options.ts';
import { assertCanPay, readReport } from '../payment/read-report.ts';
import { type FoundReport, judgeAndPrint, toJudging } from '../run-criteria.ts';
import { type KeptTest, toKeptTest } from '../save-test.ts';
import { awaitResult, refused } from '../service/await-result.ts';
import { readStatus, requestTest, type ServiceOptions } from '../service/service-client.ts';
import { withProgress } from '../with-progress.ts';

const options = {
  ...serviceOptions,
  ...paymentOptions,
  ...criteriaOptions,
  send: { type: 'string' },
  smtp: { type: 'string' },
  from: { type: 'string' },
  mail: { type: 'string' },
  timeout: { type: 'string' },
} as const;

/**
 * Time limits in seconds for the arrival of the email: `TIMEOUT` if a program sends it, and `PERSONS_TIMEOUT`
 * if a person does.
 */
const TIMEOUT = 600;
const PERSONS_TIMEOUT = 3600;

/** Maximum time in seconds from the sender's error until the test's status shows the refusal. */
const REFUSAL_SECONDS = 3;

/** The way in which the email is sent to the test's address. */
type Delivery =
  | { readonly by: 'command'; readonly command: string }
  | { readonly by: 'smtp'; readonly smtp: SmtpDelivery }
  | { readonly by: 'person' };

/**
 * Makes sure that the wallet can pay, creates a test, has the email sent, waits for the report, pays for it,
 * and prints it. The test is saved before the payment, and deleted only once the report has been printed, so
 * that no report is lost with this command.
 */
export async function runCheck(
  args: readonly string[],
  console: CommandConsole,
): Promise<ExitCode> {
  const { values } = readArgs(args, options);
  const judging = toJudging(values, console);
  const run: Run = {};
  const print = async (text: string) => {
    run.isPrinted = await console.print(text);
    return run.isPrinted;
  };
  const cleanUp = () => {
    if (run.kept) console.note(run.kept.save());
  };
  return withCleanUp(cleanUp, async () => {
    const exitCode = await judgeAndPrint(judging, { ...console, print }, () =>
      runTest(values, console, run),
    ).catch((error) => {
      throw run.isRead && run.kept ? run.kept.explain(error) : error;
    });
    if (run.kept?.isSaved() && run.isPrinted === false) console.note(run.kept.save());
    else if (run.isRead) run.kept?.remove();
    return exitCode;
  });
}

/** How far a check has come. */
interface Run {
  kept?: KeptTest;
  /** True if the service has sent the report. */
  isRead?: boolean;
  /** False if the reader had closed stdout. */
  isPrinted?: boolean;
}

/** Codes of errors after which the report of an email that was sent may still become ready. */
const STILL_COMING: readonly string[] = ['report_not_ready', 'service_unreachable'];

async function runTest(
  values: ValuesOf<typeof options>,
  console: CommandConsole,
  run: Run,
): Promise<FoundReport> {
  const delivery = await toDelivery(values, console.env);
  const isPerson = delivery.by === 'person';
  const timeout = toNumber('timeout', values.timeout, isPerson ? PERSONS_TIMEOUT : TIMEOUT, 3600);
  const purse = toPurse(values, console);
  const service = toService(values, console);
  await assertCanPay(service, purse);
  const test = await requestTest(service);
  const kept = toKeptTest(test, service.url);
  run.kept = kept;
  await deliver(delivery, test, service, console).catch(about(test.test_id));
  const waiting = { timeout, stopAtRefusal: !isPerson };
  await awaitResult(service, test.test_id, waiting).catch((error) => {
    throw STILL_COMING.includes(error.code) ? kept.explain(error) : error;
  });
  const saved = kept.save();
  if (!kept.isSaved()) console.note(saved);
  const request = { testId: test.test_id, readToken: test.read_token };
  const { report, receipt } = await readReport(service, request, purse).catch((error) => {
    throw kept.explain(error);
  });
  run.isRead = true;
  if (receipt) console.note(`Paid in transaction ${receipt.transaction}.`);
  return { report };
}

async function toDelivery(
  { send, smtp, from, mail }: ValuesOf<typeof options>,
  env: CommandConsole['env'],
): Promise<Delivery> {
  const url = smtp || env.DELIVERABILITY_SMTP_URL || undefined;
  if (send !== undefined) {
    if (send.trim() === '')
      throw usageError('--send is empty: name the command that sends the email.');
    if (smtp !== undefined) throw usageError('--send and --smtp are mutually exclusive: keep one.');
    if (mail !== undefined) throw usageError('--mail cannot be combined with --send: use --smtp.');
    return { by: 'command', command: send };
  }
  if (url === undefined) {
    if (mail !== undefined)
      throw usageError('--mail needs --smtp, the mail server that sends the file.');
    return { by: 'person' };
  }
  if (!isSmtpUrl(url))
    throw usageError(
      '--smtp must be a URL such as smtp://user:password@mail.example.com:587, without a path or query. In a password, write %25 for %, %23 for # and %2F for /.',
    );
  if (from === undefined) throw usageError('--smtp needs --from, the sender address of the email.');
  const sender = bareAddress(from);
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(sender))
    throw usageError(`--from must be an email address such as shop@example.com, not ${from}.`);
  return { by: 'smtp', smtp: { url, from: sender, mail: await readMail(mail) } };
}

/**
 * Returns whether a URL names a mail server and nothing else. A `#` or `/` in a password would end the name of
 * the server, and a password with a bare `%` cannot be decoded.
 */
function isSmtpUrl(text: string): boolean {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { hostname, pathname, search, hash, username, password } = new URL(text);
  try {
    decodeURIComponent(username + password);
  } catch {
    return false;
  }
  return hostname !== '' && /^\/?$/.test(pathname) && search + hash === '';
}

/** Reads the file before anything is sent, because a file that is no email must not cost money. */
async function readMail(mail: string | undefined): Promise<Buffer | undefined> {
  if (mail === undefined) return undefined;
  const { toMailFile } = await import('../lint/read-mail-file.ts');
  const name = `The --mail file ${mail}`;
  return Buffer.from(toMailFile(new Uint8Array(readOwnFile(mail, name)), name).bytes);
}

async function deliver(
  delivery: Delivery,
  { address, test_id, send_before }: CreatedTest,
  service: ServiceOptions,
  { env, note }: CommandConsole,
): Promise<void> {
  checkAddress(address);
  if (delivery.by === 'person') {
    note(`Send one email to this address before ${send_before}, from the system you want to test:`);
    note(`\n  ${address}\n`);
    return;
  }
  try {
    if (delivery.by === 'command') {
      note(`Sending to ${address} with your command.`);
      await withProgress(
        note,
        (seconds) => `Your command is still running after ${seconds} s.`,
        () => sendByCommand(delivery.command, address, env, note),
      );
    } else {
      note(`Sending to ${address} through your mail server.`);
      const { sendBySmtp } = await import('../delivery/send-by-smtp.ts');
      note(`Its reply: ${await sendBySmtp(delivery.smtp, address)}`);
    }
  } catch (error) {
    if (error instanceof CommandError) await explainByStatus(service, test_id, error);
    throw error;
  }
}

/**
 * Throws the service's own reasons if it refused the email, because they say more than the sender's error
 * message.
 */
async function explainByStatus(
  service: ServiceOptions,
  testId: string,
  error: CommandError,
): Promise<void> {
  for (let second = 0; second < REFUSAL_SECONDS; second++) {
    const { status } = await readStatus(service, testId);
    if (status.refusal?.reasons) throw refused(status, `\n${error.message}`);
    await sleep(1000);
  }
}
