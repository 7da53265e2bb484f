import { setTimeout as sleep } from 'node:timers/promises';
import type { OriginalTestEvent } from '../../domain/events.ts';
import { toId } from '../../domain/ids.ts';
import type { OriginalPaymentEvent, PaymentEvent } from '../../domain/payment-events.ts';
import type { EventLog, Recorded } from '../../ports/log.ts';
import { originalEvents } from '../../projection/original-events.ts';
import type { ReplayCall } from './command-line.ts';
import { createLedger } from './payments.ts';
import { redact } from './redact.ts';
import { isUntil, scan } from './scan.ts';
import type { OpenSource } from './source.ts';
import { why } from './why.ts';

/** `replay why ID|ADDRESS`: exit code 1 when there is no such test. */
export async function whyCommand(source: OpenSource, { argument, json, ...call }: ReplayCall) {
  const found = await why(source, toId(argument) ?? argument);
  if (json) call.print(found);
  else call.printText(`${found.test_id} ${found.state}: ${found.why}`);
  return found.state === 'unknown' ? 1 : 0;
}

/**
 * `replay events`: what was stored in a span of time, in the order of each log; then what comes,
 * until it is interrupted. Reports are left out: one is as large as a hundred events.
 */
export async function eventsCommand(source: OpenSource, call: ReplayCall): Promise<number> {
  const { since, until, type, follow, unsafe, print, progress } = call;
  const types = type?.split(',');
  const containing = types && new RegExp(types.join('|'));
  const printer =
    (prefix: string) =>
    ({ id, seq, time, event }: Recorded<{ readonly type: string }>) => {
      if (types && !types.includes(event.type)) return;
      const shown = unsafe ? event : (redact(event) as object);
      print({ subject: `${prefix}.${id}`, seq, stored_at: new Date(time).toISOString(), ...shown });
    };
  const from = since === undefined ? {} : { from: { time: since } };
  const logs = [
    ['tests', source.tests],
    ['payments', source.payments],
  ] as const;
  if (!follow) {
    for (const [name, log] of logs)
      await scan<{ readonly type: string }>(log, {
        ...{ ...from, containing, name, until, progress },
        onEvent: printer(name),
      });
    return 0;
  }
  const followings = logs.map(([name, log]: readonly [string, Pick<EventLog<never>, 'follow'>]) =>
    log.follow({
      ...{ from: { time: since ?? Date.now() }, containing },
      onEvent: (recorded: Recorded<{ readonly type: string }>) => {
        if (isUntil(recorded, until)) printer(name)(recorded);
      },
    }),
  );
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  while (!interrupted.signal.aborted)
    await sleep(60_000, undefined, { signal: interrupted.signal }).catch(() => {});
  await Promise.all(followings.map((one) => one.stop()));
  return 0;
}

/**
 * `replay find`: by a test's address, by a transaction or a payer (`0x…`), or by what is known of a mail:
 * the sending IP or a domain. Exit code 1 when nothing fits.
 */
export async function findCommand(source: OpenSource, call: ReplayCall): Promise<number> {
  const { argument, print, hint } = call;
  const id = toId(argument);
  let found = 0;
  const show = (line: object) => {
    found++;
    print(line);
  };
  if (id !== undefined) {
    const known = await why(source, id);
    if (known.state !== 'unknown') show(known);
  } else if (/^0x[0-9a-f]{40}([0-9a-f]{24})?$/i.test(argument))
    await findPayments(source, argument.toLowerCase(), call, show);
  else await findMails(source, argument.toLowerCase(), call, show);
  if (found === 0) hint('nothing in the log fits');
  return found > 0 ? 0 : 1;
}

async function findPayments(
  { payments }: OpenSource,
  wanted: string,
  { progress, since, until }: ReplayCall,
  show: (line: object) => void,
): Promise<void> {
  const ledger = createLedger();
  const ids = new Set<string>();
  await scan(payments, {
    ...{ name: 'payments', until, progress },
    onEvent(recorded) {
      ledger.add(recorded);
      if (namesOf(recorded.event).some((name) => name.toLowerCase() === wanted))
        ids.add(recorded.id);
    },
  });
  for (const { entry } of ledger.since(since)) if (ids.has(entry.payment_id)) show(entry);
}

/** Payers and transactions of an event. */
const namesOf = (stored: PaymentEvent): readonly string[] =>
  originalEvents<OriginalPaymentEvent>([stored]).flatMap(namesIn);

function namesIn(event: OriginalPaymentEvent): readonly string[] {
  switch (event.type) {
    case 'SettlementStarted':
      return [event.data.payload.authorization.from];
    case 'TransactionSigned':
      return [event.data.transaction];
    case 'PaymentSettled':
      return [event.data.receipt.transaction];
    case 'SettlementFailed':
      return [event.data.transaction ?? ''];
    case 'PaymentClosed': {
      const { started, receipt } = event.data.settled ?? {};
      return [started?.payload.authorization.from ?? '', receipt?.transaction ?? ''];
    }
  }
}

async function findMails(
  { tests }: OpenSource,
  wanted: string,
  { progress, since, until }: ReplayCall,
  show: (line: object) => void,
): Promise<void> {
  await scan(tests, {
    ...(since !== undefined && { from: { time: since } }),
    ...{ name: 'tests', until, progress, containing: new RegExp(RegExp.escape(wanted), 'i') },
    onEvent({ id, seq, event: stored }) {
      for (const event of originalEvents<OriginalTestEvent>([stored])) {
        const known = mailOf(event);
        if (known && Object.values(known).some((one) => one?.toLowerCase() === wanted))
          show({ test_id: id, seq, at: event.at, type: event.type, ...known });
      }
    },
  });
}

/** What is known of a mail: never a local part. */
function mailOf(
  event: OriginalTestEvent,
): Readonly<Record<string, string | null | undefined>> | undefined {
  if (event.type === 'MailArrived') {
    const { ip, envelope_domain, header_from_domain } = event.data;
    return { ip, envelope_domain, header_from_domain };
  }
  if (event.type !== 'MailRefused') return undefined;
  const { ip, spf_domain, from_domain } = event.data.reasons[0]?.evidence ?? {};
  return { ip, envelope_domain: spf_domain, header_from_domain: from_domain };
}
