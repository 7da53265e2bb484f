/**
 * Starts the whole analysis on loopback for the cases of complete emails, and prepares the email of
 * a case as it arrives.
 */

import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { checkInWorker } from '../../../src/adapters/certificate-worker/check.ts';
import { selfSigned } from '../../../src/adapters/smtp/certificate.ts';
import { createGuardedFetch } from '../../../src/adapters/web/guarded-fetch.ts';
import { createVisits } from '../../../src/adapters/web/mail-hosts.ts';
import { createWebRisk } from '../../../src/adapters/web-risk/web-risk.ts';
import type { Verdict } from '../../../src/analysis/check.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import { judge } from '../../../src/analysis/judge.ts';
import { providers } from '../../../src/analysis/provider/providers.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import type { ClientFacts } from '../../../src/ports/mail.ts';
import type { VisitMailHost } from '../../../src/ports/mail-host.ts';
import type { CertificateVerdict, Fetched } from '../../../src/ports/web.ts';
import {
  ARRIVAL,
  about,
  client,
  readFacts,
  startInspectionEnvironment,
} from '../../support/mail/inspection-environment.ts';
import { type Script, startMailHost } from '../../support/mail/mail-host.ts';
import { rootStore } from '../../support/mail/mark-certificate.ts';
import { headerLines, providerHeaders } from '../../support/mail/provider.ts';
import type { Case, Page, State } from './case.ts';
import { AUTHORITY } from './keys.ts';
import { newsletter, signMail, TO } from './mails.ts';
import { FLAGGED } from './names.ts';
import { remembering } from './remembering.ts';
import { pages, zoneWith } from './zone.ts';

const EXPIRES = '2026-11-21T10:00:05.000Z';

/**
 * Time limit in milliseconds, longer than any busy machine needs, because no case is about a silent server.
 */
const DNS_MS = 60_000;

export interface Analysis {
  readonly facts: Facts;
  readonly report: Report;
  /** The state of each check. A check that is missing here does not apply. */
  readonly states: Readonly<Record<string, State>>;
}

export interface WholeEnvironment {
  analyze(about: Omit<Case, 'about' | 'states'>): Promise<Analysis>;
  /** Host and path of every request that the sender's web server received. */
  readonly requests: readonly string[];
  /** Names that were looked up in the DNS. */
  readonly asked: readonly { readonly name: string }[];
  /** Hosts about which the web-risk service was asked. */
  readonly judgedHosts: readonly string[];
  stop(): Promise<void>;
}

export type Analyzer = Pick<WholeEnvironment, 'analyze'>;

/** Starts the whole analyzer on loopback: real DNS packets, workers, TLS, and a web-risk service. */
export async function startWholeEnvironment(): Promise<WholeEnvironment> {
  const environment = await startInspectionEnvironment(DNS_MS, true);
  const checkCertificate = startMarkWorker();
  const web = await startWeb();
  const risk = await startRisk();
  const mailHost = await startMailHost();

  const override = { connect: '127.0.0.1', port: mailHost.port, ca: AUTHORITY.cert };
  const visited = { helo: 'probe.example.net', override };
  const addresses = ['zen.spamhaus.org', 'bl.mailspike.net'];
  const domains = ['dbl.spamhaus.org', 'multi.surbl.org'];
  // Only what is the same for every email is kept from one to the next, because TLS takes most of an
  // analysis.
  const fetchOnce = remembering<Fetched>();
  const judgeOnce = remembering<CertificateVerdict | null>();
  const visitOnce = remembering<Awaited<ReturnType<VisitMailHost>>>();
  const fetch = createGuardedFetch({ override: web.override });
  let script: Script = {};
  const create = (
    apiKey: string | null,
    dnsbls: readonly string[],
    { askFilters }: Pick<Case, 'askFilters'> = {},
  ) =>
    environment.create({
      askFilters,
      fetch: async (url, limits) => {
        const { resolver, maxBytes } = limits;
        const host = URL.parse(url)?.hostname;
        const types = ['A', 'AAAA'] as const;
        const found =
          host && (await Promise.all(types.map((type) => resolver.addresses(host, type))));
        return fetchOnce([url, maxBytes, found, web.pageOf(url)], () => fetch(url, limits));
      },
      checkCertificate: (task) => judgeOnce(task, () => checkCertificate(task)),
      visitMailHost: (host) => visitOnce([script, host], () => createVisits(visited)(host)),
      dnsbls,
      webRisk: createWebRisk({ apiKey, baseUrl: risk.baseUrl, clock: () => Date.parse(ARRIVAL) }),
    });
  const zones = [...addresses, ...domains];
  const withRisk = create('key', zones);
  const without = create(null, addresses);

  return {
    requests: web.requests,
    asked: environment.dns.queries,
    judgedHosts: risk.hosts,
    async analyze(one) {
      environment.dns.setZone(zoneWith(one.zone));
      web.setPages(one.web ?? {});
      script = { tls: AUTHORITY.sign, ...one.mailHost };
      mailHost.play(script);
      const { bytes, block, client: connected, from } = await arrive(one);
      const usual = one.webRisk === false ? without : withRisk;
      const inspect = one.askFilters ? create('key', zones, one) : usual;
      const inspection = inspect({ ...about, client: connected, from });
      const { facts } = await readFacts(inspection, bytes, { block, expiresAt: EXPIRES });
      const verdicts = judge(facts);
      return { facts, report: makeReport(facts, ARRIVAL), states: statesOf(verdicts) };
    },
    stop: async () => {
      await environment.stop();
      await web.stop();
      await mailHost.stop();
      await end(risk.server);
    },
  };
}

/** Starts a real worker thread that checks mark certificates, and trusts our own mark authority. */
const startMarkWorker = () =>
  checkInWorker(
    new URL('../../support/mail/mark-worker.ts', import.meta.url),
    String(rootStore.rootCerts[0]),
  );

const toBytes = (mail: string) => new Uint8Array(Buffer.from(mail, 'latin1'));

/** Returns the email of a case as it arrives, signed and altered. */
export async function arrive(one: Omit<Case, 'about' | 'states'>) {
  const sent = signMail(one.mail ?? newsletter(), one.signatures);
  const { bytes, block, connected } = receive((await one.alter?.(sent)) ?? sent, one);
  return { bytes, block, client: connected, from: one.from ?? about.from };
}

/** Returns the email as the receiver passes it on: by SMTP, or with the headers of an inbound provider. */
function receive(mail: string, one: Omit<Case, 'about' | 'states'>) {
  if (!one.provider)
    return { bytes: toBytes(mail), block: undefined, connected: { ...client, ...one.client } };
  const headers = headerLines({ ...providerHeaders({ to: TO }), ...one.provider });
  const bytes = toBytes(headers + mail);
  const block = providers.cloudflare(bytes, { from: 'bounce@example.com', to: TO }) ?? undefined;
  const tls = { status: 'not_observable', version: null, cipher: null } as const;
  const connected: ClientFacts = block
    ? { ...block.client, tls }
    : { ip: null, helo: null, source: 'unknown', tls };
  return { bytes, block, connected };
}

const statesOf = (verdicts: readonly Verdict[]): Record<string, State> =>
  Object.fromEntries(
    // A state of null means unknown, which no case here expects.
    verdicts.map(({ check, state }) => [check.id, state?.name ?? 'unknown']),
  );

const HOSTS = ['mta-sts.example.com', 'brand.example.com'];

/** Starts the sender's web server, with a certificate for each of its names. */
async function startWeb() {
  const requests: string[] = [];
  let changed: Readonly<Record<string, Page | null>> = {};
  const pairs = new Map(
    await Promise.all(
      HOSTS.map(async (host) => [host, await selfSigned(host, Date.now())] as const),
    ),
  );
  const contexts = new Map([...pairs].map(([host, pair]) => [host, createSecureContext(pair)]));
  const pageOf = (path: string) => (path in changed ? changed[path] : pages[path]);
  const server = createServer(
    { SNICallback: (name, done) => done(null, contexts.get(name)) },
    ({ headers, url }, response) => {
      const path = `${headers.host}${url}`;
      requests.push(path);
      const file = pageOf(path);
      if (!file) return response.writeHead(404, { 'content-type': 'text/plain' }).end();
      const { status = 200, type, body } = file;
      return response.writeHead(status, { 'content-type': type }).end(body);
    },
  );
  // Failed handshakes are no error here, because some cases are about them.
  server.on('tlsClientError', () => {});
  const port = await listen(server);
  return {
    requests,
    override: {
      connect: '127.0.0.1',
      port,
      ca: [...pairs.values()].map(({ cert }) => cert).join(''),
    },
    pageOf: (url: string) => pageOf(url.replace('https://', '')),
    setPages: (next: Case['web'] = {}) => {
      changed = next;
    },
    stop: () => end(server),
  };
}

async function startRisk() {
  const hosts: string[] = [];
  const server = createHttpServer((request, response) => {
    const uri = new URL(request.url ?? '', 'http://risk.invalid').searchParams.get('uri') ?? '';
    const { hostname } = new URL(uri);
    hosts.push(hostname);
    const threat = { threatTypes: ['SOCIAL_ENGINEERING'], expireTime: EXPIRES };
    response.end(JSON.stringify(hostname === FLAGGED ? { threat } : {}));
  });
  const baseUrl = `http://127.0.0.1:${await listen(server)}`;
  return { hosts, server, baseUrl };
}

async function listen(server: Server | ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function end(server: Server | ReturnType<typeof createServer>): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
