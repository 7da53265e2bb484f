/**
 * Inspects an email in three steps (at RCPT, at the end of its data, and after the verdict), and returns
 * within time limits the facts for the gate and for the report. Fails if the service itself is overloaded.
 */

import type { Facts } from '../analysis/facts.ts';
import type { GateFacts } from '../analysis/gate.ts';
import { ifKnown } from '../analysis/lookup-result.ts';
import { listsDomains } from '../domain/dnsbls.ts';
import { Overloaded } from '../domain/overloaded.ts';
import type { CheckHost } from '../ports/check-host.ts';
import type { NewResolver, Resolver } from '../ports/dns.ts';
import type { AskFilters, FilteredMail } from '../ports/filters.ts';
import type { Inspect } from '../ports/mail.ts';
import type { BeginReading } from '../ports/reading.ts';
import { type AfterVerdictPorts, inspectAfterVerdict } from './after-verdict.ts';
import { assembleFacts } from './assemble.ts';
import { type AtEndOfData, inspectAtEndOfData } from './at-end-of-data.ts';
import { inspectAtRcpt } from './at-rcpt.ts';
import { createBlocklists } from './blocklists.ts';
import { orElse, startDeadline } from './deadlines.ts';
import { withSpfTrials } from './spf-record.ts';

export interface InspectPorts extends Omit<AfterVerdictPorts, 'resolver' | 'domainLists'> {
  readonly newResolver: NewResolver;
  readonly beginReading: BeginReading;
  readonly checkHost: CheckHost;
  readonly refusalBlocklists: readonly string[];
  /** Zones of blocklists that are queried but never cause a refusal. */
  readonly dnsbls: readonly string[];
  /** Absent if no spam filter is configured. */
  readonly askFilters?: AskFilters | undefined;
}

/**
 * Time limit for the gate's facts in milliseconds, from the end of data: the sender is waiting for the reply.
 */
const GATE_MS = 15_000;
const WHOLE_MS = 25_000;

/**
 * How long an accepted email waits for lookups and files that its verdict does not need, in milliseconds.
 */
const ACCEPTED_WAIT_MS = 1000;

/**
 * Inspects emails in three steps: at RCPT, at the end of data, and after the verdict. Each step starts what
 * it can and passes it on to the next. Nothing waits for a result that it does not need, and each part has
 * its own deadline. A result that has not arrived by then is unknown, which is never a "no".
 */
export function createInspect(ports: InspectPorts): Inspect {
  const blocklists = createBlocklists(ports);
  const domainLists = ports.dnsbls.some(listsDomains) ? blocklists : null;

  return ({ testId, mailDomain, client, from, ...own }) => {
    const resolver = own.resolver ?? ports.newResolver({ ip: client.ip, testId });
    const atRcpt = inspectAtRcpt({ ...ports, resolver, blocklists }, client, from);

    return {
      async read(bytes, block) {
        const mail = inspectAtEndOfData({ ...ports, resolver }, atRcpt, {
          bytes,
          block,
          testAddress: { localPart: testId, domain: mailDomain },
          arrivedAt: ports.clock(),
          keepsBytes: ports.askFilters !== undefined,
        });
        const afterVerdict = inspectAfterVerdict({ ...ports, resolver, domainLists }, mail);
        const end = () => {
          mail.reading.stop();
          // A buffer that was moved to a worker cannot be reached from here. The worker overwrites it.
          if (!bytes.buffer.detached) bytes.fill(0);
        };
        const left = startDeadline(WHOLE_MS);

        return {
          gate: await unlessStarved(resolver, toGate(resolver, mail)).catch((error) => {
            end();
            throw error;
          }),
          // If one of our resources is exhausted, this must become known now, before the arrival is recorded.
          awaitLookups: () => {
            const all = Promise.all([resolver.answered?.(), afterVerdict.files]);
            return unlessStarved(resolver, orElse(ACCEPTED_WAIT_MS, all.then(nothing), undefined));
          },
          async facts(arrival) {
            const { authentication, content, beginContent } = mail.reading;
            const filters = askFilters(ports.askFilters, mail, {
              bytes: bytes.subarray(block?.bytes ?? 0),
              ...{ mailDomain, receivedAt: arrival.receivedAt },
            }).catch(nothing);
            beginContent?.();
            const read = await orElse(left(), Promise.all([authentication, content]), null);
            // Reading the email is our own work, so if it fails, the fault is ours.
            if (read === null) throw new Overloaded();
            const [signatures, inside] = read;
            if (signatures === null || inside === null) return 'lost';
            const facts = assembleFacts({
              ...arrival,
              testId,
              mail,
              authenticated: await mail.authenticated,
              authentication: signatures,
              content: inside,
              afterVerdict: await afterVerdict.collect(left),
              trace: resolver.trace,
              filters: await orElse(left(), filters, undefined),
            });
            const assembled = await unlessStarved(resolver, facts);
            if (await isDown(resolver)) throw new Overloaded();
            return orElse(left(), withSpfTrials(assembled, atRcpt.spfAbout), assembled);
          },
          end,
        };
      },
    };
  };
}

const nothing = () => undefined;

/** The local part of the recipient address that filters are given instead of the real one. */
const RECIPIENT = 'recipient';

/** Asks the spam filters about the email. Resolves with undefined if no filter is configured. */
async function askFilters(
  ask: AskFilters | undefined,
  { atRcpt: { client, from, reverse } }: AtEndOfData,
  mail: Pick<FilteredMail, 'bytes' | 'mailDomain' | 'receivedAt'>,
): Promise<Facts['filters']> {
  const { ip, helo } = client;
  const sender = from.domain === '' ? '' : `${from.localPart}@${from.domain}`;
  const hostname = reverse.then(({ forward }) => {
    const found = ifKnown(forward);
    return found && (found.confirmedNames[0] ?? null);
  });
  const recipient = `${RECIPIENT}@${mail.mailDomain}`;
  return ask?.({ ...mail, ip, helo, from: sender, recipient }, hostname);
}

/**
 * Rejects with `Overloaded` if our own limits were reached: a fact that is missing for that reason says
 * nothing about the sender.
 */
const unlessStarved = <T>(resolver: Resolver, work: T | Promise<T>): Promise<T> =>
  Promise.race([
    resolver.starved.then(() => {
      throw new Overloaded();
    }),
    work,
  ]);

async function toGate(
  resolver: Resolver,
  { atRcpt, scan, authenticated }: AtEndOfData,
): Promise<GateFacts> {
  // The lookups have deadlines of their own. Only reading the email can take longer, and that is our own
  // work.
  const all = await orElse(GATE_MS, authenticated, null);
  if (all === null) throw new Overloaded();
  return {
    spf: all.spf,
    dkim: all.dkim,
    dmarc: all.dmarc,
    blocklists: [...(await atRcpt.blocklists)],
    ip: atRcpt.client.ip,
    headerFromDomain: scan.headerFrom.domain,
    resolverDown: await isDown(resolver),
  };
}

/**
 * Returns whether our resolver is at fault: a query was not answered, and a control query that no cache can
 * answer was not answered either.
 */
async function isDown({ trace, isServed }: Resolver): Promise<boolean> {
  const outcomes = new Set(trace.map(({ outcome }) => outcome));
  if (outcomes.has('UNREACHABLE')) return true;
  const isAnswered = ['found', 'nodata', 'nxdomain'].some((outcome) => outcomes.has(outcome));
  const isDoubtful =
    outcomes.has('TIMEOUT') || outcomes.has('SERVFAIL') || (outcomes.size > 0 && !isAnswered);
  return isDoubtful && isServed !== undefined && !(await isServed());
}
