import type { GateFacts } from '../analysis/facts.ts';
import { unknown } from '../analysis/lookup-result.ts';
import { Overloaded } from '../domain/overloaded.ts';
import type { Clock } from '../ports/ambient.ts';
import type { NewResolver, Resolver } from '../ports/dns.ts';
import type { Inspect } from '../ports/mail.ts';
import type { ReadInWorker } from '../ports/reading.ts';
import type { CheckCertificate, GuardedFetch, WebRisk } from '../ports/web.ts';
import { inspectAfterVerdict } from './after-verdict.ts';
import { assembleFacts } from './assemble.ts';
import { type AtEndOfData, inspectAtEndOfData } from './at-end-of-data.ts';
import { inspectAtRcpt } from './at-rcpt.ts';
import { createBlocklists } from './blocklists.ts';
import { orElse, startDeadline } from './deadlines.ts';
import { toDmarc } from './verdicts.ts';

export interface InspectPorts {
  readonly newResolver: NewResolver;
  readonly readInWorker: ReadInWorker;
  readonly fetch: GuardedFetch;
  readonly checkCertificate: CheckCertificate;
  readonly webRisk: WebRisk;
  readonly clock: Clock;
  readonly refusalBlocklists: readonly string[];
  /** Zones of blocklists that are asked and refuse nothing. */
  readonly dnsbls: readonly string[];
}

/** Longest wait for a worker, from the end of data, in milliseconds. */
const WORKER_MS = 15_000;

/** From then on, in milliseconds. A sender waits for the reply. */
const GATE_MS = 15_000;
const WHOLE_MS = 25_000;

const CONTROL_MS = 4000;

/**
 * Inspects mails in three steps, each of which begins what it can and hands on to the next: at RCPT,
 * at the end of data, after the verdict. Nothing waits for what it does not need, and each part has
 * its own deadline: what has not come by then is unknown, which is never a "no".
 */
export function createInspect(ports: InspectPorts): Inspect {
  const blocklists = createBlocklists(ports);

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
        });
        const afterVerdict = inspectAfterVerdict({ ...ports, resolver }, mail);
        const end = () => {
          mail.reading.stop();
          // Moved to a worker it is out of reach here, and overwritten there.
          if (!bytes.buffer.detached) bytes.fill(0);
        };
        // Too many mails at once are our fault: nothing may be concluded about this one.
        if ((await orElse(WORKER_MS, mail.reading.begun, null)) === null) {
          end();
          throw new Error('no worker was free in time');
        }
        const left = startDeadline(WHOLE_MS);

        return {
          gate: await unlessStarved(resolver, toGate(resolver, mail)).catch((error) => {
            end();
            throw error;
          }),
          async facts(arrival) {
            const { authentication, content, beginContent } = mail.reading;
            beginContent?.();
            const parts = await orElse(left(), Promise.all([authentication, content]), null);
            const read = parts ?? [await settledOr(authentication), null];
            if (read[0] === null && read[1] === null) return 'lost';
            const facts = assembleFacts({
              ...arrival,
              testId,
              mail,
              authenticated: await mail.authenticated,
              authentication: read[0],
              content: read[1],
              afterVerdict: await afterVerdict(left),
              trace: resolver.trace,
            });
            return unlessStarved(resolver, facts);
          },
          end,
        };
      },
    };
  };
}

/** What a promise has given by now. */
const settledOr = <T>(promise: Promise<T | null>) => orElse(1, promise, null);

/** A fact that is missing by our fault is no fact about the sender. */
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
  const tooLate = unknown('analysis: no answer in time');
  const verdicts = orElse(
    GATE_MS,
    authenticated.then((all) => ({ spf: all.spf, dkim: all.dkim, dmarc: toDmarc(all, []) })),
    { spf: tooLate, dkim: tooLate, dmarc: tooLate },
  );
  const [{ spf, dkim, dmarc }, blocklists] = await Promise.all([verdicts, atRcpt.blocklists]);
  const resolverDown = await isDown(resolver);
  return {
    spf,
    dkim,
    dmarc,
    blocklists: [...blocklists],
    ip: atRcpt.client.ip,
    headerFromDomain: scan.headerFrom.domain,
    resolverDown,
  };
}

/** Nothing was answered, and a name that is always there was not either: it is our fault. */
async function isDown(resolver: Resolver): Promise<boolean> {
  const answered = new Set(['found', 'nodata', 'nxdomain']);
  if (resolver.trace.length === 0) return false;
  if (resolver.trace.some(({ outcome }) => answered.has(outcome))) return false;
  const control = await orElse(CONTROL_MS, resolver.names('.', 'NS'), null);
  return control === null || control.status === 'failed';
}
