/**
 * Analyses emails in a worker thread, several at once: the lookups for one email continue while another is
 * read. This thread logs nothing, because an error's message could quote the email.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { checkInWorker } from './adapters/certificate-worker/check.ts';
import { createNewResolver } from './adapters/dns/resolver.ts';
import type { FromWorker, ToWorker, WorkerData } from './adapters/mail-workers/protocol.ts';
import { showSigns } from './adapters/mail-workers/watch.ts';
import { checkHost } from './adapters/mailauth/check-host.ts';
import { verifyMail } from './adapters/mailauth/verify.ts';
import { createGuardedFetch } from './adapters/web/guarded-fetch.ts';
import { createVisits } from './adapters/web/mail-hosts.ts';
import { createWebRisk } from './adapters/web-risk/web-risk.ts';
import { administeredZone } from './analysis/names/domain-names.ts';
import { describeError } from './domain/describe-error.ts';
import { type FilterSettings, namesFilter } from './domain/filter-address.ts';
import { Overloaded } from './domain/overloaded.ts';
import { createAnalyzeMail } from './inspection/analyze-mail.ts';
import { SPAMCOP } from './inspection/blocklists.ts';
import { createInspect } from './inspection/inspect.ts';
import { createReadMail } from './inspection/read-parts.ts';
import { createSlices } from './inspection/slices.ts';
import type { Resolver } from './ports/dns.ts';
import type { AskFilters } from './ports/filters.ts';
import type { ArrivalTimes } from './ports/mail.ts';

const { setup, signs: memory, inFlight, newNames } = workerData as WorkerData;
const signs = showSigns(memory);

let outgoing: FromWorker[] = [];
let moved: ArrayBuffer[] = [];
function post(message: FromWorker): void {
  if (outgoing.length === 0) queueMicrotask(flush);
  outgoing.push(message);
  if (message.kind === 'reported' && message.report !== 'lost')
    moved.push(message.report.json.buffer);
}
function flush(): void {
  parentPort?.postMessage(outgoing, moved);
  outgoing = [];
  moved = [];
}

/**
 * Difference between the log's clock and this thread's monotonic clock in milliseconds, according to the last
 * email.
 */
let clockOffset = 0;
const clock = () => Math.floor(performance.now() + clockOffset);

const newResolver = createNewResolver({
  servers: setup.dnsServers,
  validates: setup.dnsValidates,
  controlZone: setup.mailDomain,
  zoneOf: administeredZone,
  ownZones: [...setup.refusalBlocklists, ...setup.dnsbls, SPAMCOP],
  inFlight,
  newNames,
});
const fetch = createGuardedFetch({
  nat64Prefixes: setup.nat64Prefixes,
  ...(setup.fetchOverride && { override: setup.fetchOverride }),
});
const visitMailHost = setup.visitsMailHosts
  ? createVisits({ helo: setup.mailDomain, nat64Prefixes: setup.nat64Prefixes })
  : undefined;
const webRisk = createWebRisk({ apiKey: setup.webRiskApiKey, clock });
const checkCertificate = checkInWorker(new URL('./certificate-worker.ts', import.meta.url));

/** Loads the code that queries filters and the table of their rules, only if a filter is set up. */
function loadFilters(settings: FilterSettings): AskFilters {
  const loaded = import('./service/filters.ts').then(({ askOwnFilters }) =>
    askOwnFilters(settings, (name, isAnswered) => post({ kind: 'filter', name, isAnswered })),
  );
  return async (mail, hostname) => (await loaded)(mail, hostname);
}
const askFilters = namesFilter(setup.filters) ? loadFilters(setup.filters) : undefined;

/** The number of the email to which each resolver belongs. */
const numbers = new WeakMap<Resolver, number>();
const mark = (resolver: Resolver) => signs.mark(numbers.get(resolver) ?? 0);
const inSlice = createSlices();

const analyze = createAnalyzeMail({
  inspect: createInspect({
    checkHost,
    newResolver,
    beginReading: createReadMail({ verifyMail, mark, inSlice, onDefect }),
    ...{ checkCertificate, fetch, webRisk, visitMailHost, askFilters, clock },
    ...{ refusalBlocklists: setup.refusalBlocklists, dnsbls: setup.dnsbls },
  }),
  clock,
  inSlice,
  mark,
});

interface Running {
  readonly report: (arrival: ArrivalTimes) => void;
  readonly end: () => void;
}
const running = new Map<number, Running>();

async function run({ number, bytes: given, mail, now }: Opened): Promise<void> {
  clockOffset = now - performance.now();
  const bytes = takeOver(given);
  signs.take(number);
  const arrival = Promise.withResolvers<ArrivalTimes | null>();
  running.set(number, { report: arrival.resolve, end: () => arrival.resolve(null) });
  const resolver = newResolver({ ip: mail.client.ip, testId: mail.testId });
  numbers.set(resolver, number);
  try {
    const { gate, report, end } = await analyze({ ...mail, bytes, resolver });
    post({ kind: 'gate', number, gate });
    const arrived = await arrival.promise;
    if (arrived) post({ kind: 'reported', number, report: await report(arrived) });
    end();
  } catch (error) {
    const overloaded = error instanceof Overloaded;
    if (!overloaded) onDefect('analysis', error);
    post({ kind: 'failed', number, overloaded });
  } finally {
    bytes.fill(0);
    running.delete(number);
    const queries: Record<string, number[]> = {};
    for (const { outcome, milliseconds } of resolver.trace) {
      const times = queries[outcome] ?? [];
      times.push(milliseconds);
      queries[outcome] = times;
    }
    post({ kind: 'ended', number, queries });
  }
}

type Opened = Extract<ToWorker, { kind: 'open' }>;

function onDefect(part: 'authentication' | 'content' | 'analysis', error: unknown): void {
  post({ kind: 'defect', defect: { part, ...describeError(error) } });
}

/** Copies the bytes, because reading from a buffer that is shared or growable is several times slower. */
function takeOver(given: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(given);
  given.fill(0);
  if (given.buffer instanceof ArrayBuffer) given.buffer.transfer(0);
  return copy;
}

parentPort?.on('message', (messages: readonly ToWorker[]) => {
  for (const message of messages) {
    if (message.kind === 'open') void run(message);
    else if (message.kind === 'report') running.get(message.number)?.report(message.arrival);
    else running.get(message.number)?.end();
  }
});
