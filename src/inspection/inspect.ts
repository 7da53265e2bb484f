import { type GateFacts, unknown } from '../analysis/facts.ts';
import type { Clock } from '../ports/ambient.ts';
import type { NewResolver, Resolver } from '../ports/dns.ts';
import type { Inspect } from '../ports/mail.ts';
import type { EvaluateSpf, ReadInWorker } from '../ports/reading.ts';
import type { CheckCertificate, GuardedFetch, WebRisk } from '../ports/web.ts';
import { beginRest, noBimi, noTransport, noWebRisk, type Rest } from './after-verdict.ts';
import { assembleFacts } from './assemble.ts';
import { beginLate, type Late } from './at-end-of-data.ts';
import { beginEarly, type Early } from './at-rcpt.ts';
import { createBlocklists } from './blocklists.ts';
import { orElse } from './deadlines.ts';
import { gatherVerdicts, toDmarc } from './verdicts.ts';

export interface InspectPorts {
  readonly newResolver: NewResolver;
  readonly evaluateSpf: EvaluateSpf;
  readonly readInWorker: ReadInWorker;
  readonly fetch: GuardedFetch;
  readonly checkCertificate: CheckCertificate;
  readonly webRisk: WebRisk;
  readonly clock: Clock;
  readonly refusalBlocklists: readonly string[];
}

/** Longest wait for a worker, from the end of data, in milliseconds. */
const WORKER_MS = 15_000;

/** From then on, in milliseconds. A sender waits for the reply. */
const GATE_MS = 15_000;
const WHOLE_MS = 25_000;

const CONTROL_MS = 4000;

/**
 * Gathers the facts of mails. Nothing waits for what it does not need, and each part has its own
 * deadline: what has not come by then is unknown, which is never a "no".
 */
export function createInspect(ports: InspectPorts): Inspect {
  const blocklists = createBlocklists(ports);

  return ({ testId, mailDomain, client, from }) => {
    const resolver = ports.newResolver();
    const early = beginEarly({ ...ports, resolver, blocklists }, client, from);
    const nullSender = from.domain === '';
    const envelopeDomain = nullSender
      ? (client.helo ?? '').toLowerCase().replace(/\.$/, '')
      : from.domain;
    let late: Late | undefined;
    let rest: Rest | undefined;
    let left: Deadline = () => 0;
    let given: Parameters<ReturnType<Inspect>['gate']> | undefined;
    let sizeBytes = 0;

    return {
      async gate(mail, block) {
        given = [mail, block];
        const ownFrom = block?.bytes ?? 0;
        sizeBytes = mail.length - ownFrom;
        late = beginLate(
          { resolver, readInWorker: ports.readInWorker },
          {
            mail,
            ownFrom,
            testId,
            mailDomain,
            envelopeDomain,
            nullSender,
            helo: client.helo,
            smtputf8: from.smtputf8,
            arrivedAt: ports.clock(),
          },
        );
        rest = beginRest({ ...ports, resolver }, late, early, envelopeDomain);
        // Too many mails at once are our fault: nothing may be concluded about this one.
        if ((await orElse(WORKER_MS, late.reading.begun, null)) === null)
          throw new Error('no worker was free in time');
        left = startDeadline(WHOLE_MS);
        return toGate(resolver, late, early, envelopeDomain, client.ip);
      },

      async facts(arrival) {
        if (!late || !rest) throw new Error('facts before gate');
        const { reading } = late;
        const parts = await orElse(
          left(),
          Promise.all([reading.authentication, reading.content]),
          null,
        );
        const [authentication, content] = parts ?? [await settledOr(reading.authentication), null];
        if (authentication === null && content === null) return 'lost';

        const authenticated = await gatherVerdicts(late, early, envelopeDomain);
        return assembleFacts({
          testId,
          ...arrival,
          sizeBytes,
          client,
          nullSender,
          block: given?.[1],
          scan: late.scan,
          authenticated,
          authentication,
          content,
          reverse: await early.reverse,
          heloAddresses: await early.heloAddresses,
          spamcop: await early.spamcop,
          blocklists: await early.blocklists,
          fromDomain: await late.fromDomain,
          envelopeMx: await early.envelopeMx,
          mxHosts: { ...(await early.envelopeMxHosts), ...(await late.fromMxHosts) },
          rua: await orElse(left(), rest.rua, []),
          transport: await orElse(left(), rest.transport, noTransport(late)),
          bimi: await orElse(left(), rest.bimi, noBimi),
          webRisk: await orElse(left(), rest.webRisk, noWebRisk(ports.webRisk)),
          trace: resolver.trace,
        });
      },

      end() {
        late?.reading.stop();
        // Moved to a worker it is out of reach here, and overwritten there.
        if (given?.[0].buffer.detached === false) given[0].fill(0);
      },
    };
  };
}

/** Milliseconds left, at least one: what is there already is taken. */
type Deadline = () => number;

function startDeadline(milliseconds: number): Deadline {
  const end = performance.now() + milliseconds;
  return () => Math.max(1, end - performance.now());
}

/** What a promise has given by now. */
const settledOr = <T>(promise: Promise<T | null>) => orElse(1, promise, null);

async function toGate(
  resolver: Resolver,
  late: Late,
  early: Early,
  envelopeDomain: string,
  ip: string | null,
): Promise<GateFacts> {
  const headerFromDomain = late.scan.headerFrom.domain;
  const tooLate = unknown('analysis: no answer in time');
  const verdicts = orElse(
    GATE_MS,
    gatherVerdicts(late, early, envelopeDomain).then((about) => ({
      spf: about.spf,
      dkim: about.dkim,
      dmarc: toDmarc(about, []),
    })),
    { spf: tooLate, dkim: tooLate, dmarc: tooLate },
  );
  const [{ spf, dkim, dmarc }, blocklists] = await Promise.all([verdicts, early.blocklists]);
  const resolverDown = await isDown(resolver);
  return { spf, dkim, dmarc, blocklists: [...blocklists], ip, headerFromDomain, resolverDown };
}

/** Nothing was answered, and a name that is always there was not either: it is our fault. */
async function isDown(resolver: Resolver): Promise<boolean> {
  const answered = new Set(['found', 'nodata', 'nxdomain']);
  if (resolver.trace.length === 0) return false;
  if (resolver.trace.some(({ outcome }) => answered.has(outcome))) return false;
  const control = await orElse(CONTROL_MS, resolver.names('.', 'NS'), null);
  return control === null || control.status === 'failed';
}
