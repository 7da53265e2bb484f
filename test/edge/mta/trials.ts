/** Runs the trials of a real mail server: a delivery, an outage and a killed service. */

import type { Report } from '../../../src/domain/report/report.ts';
import { SENDER } from '../../environment/sender.ts';
import { until } from '../../support/process/until.ts';
import type { Place, Test } from './place.ts';
import type { Sender } from './sender.ts';

/** The result of a trial, for the table. */
export interface Outcome {
  readonly trial: string;
  readonly seconds: number;
  readonly detail: string;
}

type Trial = (place: Place, sender: Sender) => Promise<string>;

function hold(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

/** Expects one report, from one arrival that was analysed. */
async function oneReport(place: Place, sender: Sender, test: Test): Promise<Report> {
  const report = await place.report(test);
  const done = (await place.events(test)).filter((type) => type === 'AnalysisDone');
  hold(done.length === 1, `${done.length} analyses were done`);
  const { spf, dkim } = report.authentication as {
    spf: { result: string };
    dkim: { result: string }[];
  };
  hold(spf.result === 'pass', `SPF is ${spf.result}`);
  hold(dkim.map(({ result }) => result).join() === 'pass', 'the signature did not survive');
  await until(async () => (await sender.queued()) === 0, 'an empty queue');
  return report;
}

const deliver: Trial = async (place, sender) => {
  const test = await place.create();
  await sender.send(await place.write(test.address));
  await until(async () => (await place.status(test)) === 'ready', 'a report');
  const report = await oneReport(place, sender, test);
  const { tls } = report.connection as { tls?: { status: string; version?: string | null } };
  hold(tls?.status === 'tls', `TLS is ${tls?.status}`);
  return `${tls?.version}, score ${report.score}`;
};

/** The log becomes unavailable before the email is sent, and returns while it is in the queue. */
const throughOutage: Trial = async (place, sender) => {
  const test = await place.create();
  // The replica must know the test before the outage, because it would ask the log about an unknown one.
  await until(async () => (await place.status(test)) === 'waiting', 'a row');
  await place.nats.kill();
  await until(async () => !(await place.isReady()), 'a service that is not ready');
  await sender.send(await place.write(test.address));
  await until(async () => /451[ -]4\.3\.0/.test(await sender.lastWords()), 'a 451');
  hold((await sender.queued()) === 1, 'the email is not in the queue');
  hold((await place.status(test)) === 'waiting', 'the test does not wait');
  await place.nats.start();
  await until(async () => (await place.status(test)) === 'ready', 'a report');
  await oneReport(place, sender, test);
  return '451, queued, delivered without help';
};

/** The service dies after the end of data, before its 250. */
const throughKill: Trial = async (place, sender) => {
  const test = await place.create();
  // Queries that only the analysis needs are not answered, so the gate is passed, and the reply waits.
  const name = `_mta-sts.${SENDER.domain}`;
  place.dns?.setFault(name, 'TIMEOUT');
  await sender.send(await place.write(test.address));
  await until(async () => {
    return (await place.status(test)) === 'processing';
  }, 'an email in analysis');
  process.kill(place.pid(), 'SIGKILL');
  place.dns?.setFault(name, null);
  await until(async () => (await place.status(test)) === 'ready', 'a report');
  await oneReport(place, sender, test);
  const events = await place.events(test);
  const arrivals = events.filter((type) => type === 'MailArrived').length;
  hold(arrivals === 2, `the email arrived ${arrivals} times`);
  return 'killed, tried again, one report';
};

/** The trials for every program, and those for programs whose queue retries soon. */
const everywhere = { delivery: deliver };
const withQueue = { 'log away': throughOutage, 'kill -9 before 250': throughKill };

/** Runs the trials one after another. Rejects at the first that fails. */
export async function runTrials(
  place: Place,
  sender: Sender,
  hasPatience: boolean,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [trial, run] of Object.entries({ ...everywhere, ...(hasPatience && withQueue) })) {
    const begun = performance.now();
    const detail = await run(place, sender).catch(async (cause: Error) => {
      const words = [cause.message, await sender.lastWords(), place.lastWords()];
      // The next program finds the environment repaired.
      await place.repair();
      throw new Error(`${trial}: ${words.join('\n')}`, { cause });
    });
    const leaks = await place.leaks();
    hold(leaks.length === 0, `${trial}: words of the email are in ${leaks.join(', ')}`);
    outcomes.push({ trial, seconds: (performance.now() - begun) / 1000, detail });
  }
  return outcomes;
}
