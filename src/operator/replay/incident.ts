/** Runs the commands of `replay` that search the log and print what happened: `why`, `events` and `find`. */

import type { OriginalTestEvent } from '../../domain/events.ts';
import { toId } from '../../domain/ids.ts';
import type { Recorded } from '../../ports/log.ts';
import { originalEvents } from '../../projection/original-events.ts';
import type { ReplayCall } from './call.ts';
import { readLedger } from './payments.ts';
import { scan } from './scan.ts';
import type { OpenSource } from './source.ts';
import { printerOf } from './states.ts';
import { why } from './why.ts';

/** Runs `replay why ID|ADDRESS`. The exit code is 1 if there is no such test. */
export async function whyCommand(source: OpenSource, { argument, json, ...call }: ReplayCall) {
  const found = await why(source, toId(argument) ?? argument);
  if (json) call.print(found);
  else call.printText(`${found.test_id} ${found.state}: ${found.why}`);
  return found.state === 'unknown' ? 1 : 0;
}

/**
 * Runs `replay events`, which prints the events that were stored within a period, in the order of each log
 * and without reports.
 */
export async function eventsCommand(source: OpenSource, call: ReplayCall): Promise<number> {
  const { since, until, type, unsafe, print, hint, progress } = call;
  let found = 0;
  const types = type?.split(',');
  const options = {
    ...{ ...fromInstant(since), until, progress },
    containing: types && new RegExp(types.join('|')),
  };
  const printer = (name: string) => {
    const toLine = printerOf(name, unsafe);
    return (one: Recorded<{ readonly type: string }>) => {
      if (types && !types.includes(one.event.type)) return;
      found++;
      print(toLine(one));
    };
  };
  await scan(source.tests, { ...options, name: 'tests', onEvent: printer('tests') });
  await scan(source.payments, { ...options, name: 'payments', onEvent: printer('payments') });
  if (found === 0) hint('nothing in the log matches');
  return 0;
}

const fromInstant = (time: number | undefined) => (time === undefined ? {} : { from: { time } });

/**
 * Runs `replay find`, which searches by a test's address, by a transaction or a payer (`0x…`), or by what is
 * known about an email: the sending IP address or a domain. The exit code is 1 if nothing matches.
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
    for (const { entry } of await readLedger(source, call, argument)) show(entry);
  else await findMails(source, argument.toLowerCase(), call, show);
  if (found === 0) hint('nothing in the log matches');
  return found > 0 ? 0 : 1;
}

async function findMails(
  { tests }: OpenSource,
  wanted: string,
  { progress, since, until }: ReplayCall,
  show: (line: object) => void,
): Promise<void> {
  await scan(tests, {
    ...fromInstant(since),
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

/** Returns what is known about an email, never a local part. */
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
