import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readAssetFault } from '../../adapters/chain/asset.ts';
import { readClockOffset } from '../../adapters/chain/node-clock.ts';
import { createNewResolver } from '../../adapters/dns/resolver.ts';
import { facilitatorSettlement } from '../../adapters/facilitator/facilitator-settlement.ts';
import { openFilters } from '../../adapters/filters/open-filters.ts';
import { connectNats } from '../../adapters/nats/connection.ts';
import { fullBytes } from '../../adapters/nats/streams.ts';
import { readSync } from '../../adapters/nats/sync.ts';
import { isOwnAddress } from '../../adapters/web/address-guard.ts';
import { reverseName } from '../../analysis/names/host-name.ts';
import { isReachable } from '../../analysis/names/reachable.ts';
import { printable, readOptions } from '../../config/command-line.ts';
import { type Config, loadConfig, type PaymentConfig } from '../../config/config.ts';
import { testPointOf } from '../../domain/dnsbls.ts';
import { NODE_SETTINGS, type NodeFault } from '../../domain/node-needs.ts';
import { paymentTerms } from '../../domain/payment-terms.ts';
import { FILTER_MS } from '../../ports/filters.ts';
import { findDifference, lookAt } from '../../service/nodes.ts';
import { checkPayee } from '../../service/payee.ts';
import { openNodes, walletSettlement } from '../../service/settlement.ts';
import { openSource } from '../replay/source.ts';
import { type Diagnosis, examined } from './diagnosis.ts';
import { judgeAddress, judgeBlocklist, judgeLocal, judgeMx, judgePtr } from './judge-dns.ts';
import { judgeFilter } from './judge-filter.ts';
import {
  judgeClock,
  judgeDisk,
  judgeGreeting,
  judgeStore,
  judgeSync,
  judgeTlsCertificate,
} from './judge-machine.ts';
import {
  judgeAgreement,
  judgeAsset,
  judgeFacilitator,
  judgeFunds,
  judgeNode,
  judgePayee,
} from './judge-money.ts';
import { judgeRelays } from './judge-relays.ts';
import { probeCertificate, probeDisk, probeGreeting } from './probe.ts';

/**
 * Runs `operator.ts doctor`, which examines an installation: DNS records, blocklists, port 25, certificate,
 * relays, log, payments and spam filters. Resolves to the exit code: 1 if anything fails.
 */
export async function runDoctor(args: readonly string[]): Promise<number> {
  readOptions(args, {});
  const findings = await examine(loadConfig());
  for (const { level, check, detail, advice } of findings) {
    console.log(`${level.padEnd(4)}  ${check}: ${detail}`);
    if (advice) console.log(`      ${advice}`);
  }
  const count = (level: Diagnosis['level']) => findings.filter((one) => one.level === level).length;
  console.log(`${count('ok')} ok, ${count('warn')} to check, ${count('fail')} to fix`);
  return count('fail') > 0 ? 1 : 0;
}

/** Examines everything at once. The results contain no secrets from the settings. */
export async function examine(config: Config): Promise<readonly Diagnosis[]> {
  const parts = await Promise.all([
    lookUp(config),
    log(config),
    [
      judgeTlsCertificate(
        probeCertificate(config.smtp.certificate, config.smtp.hostname),
        config.smtp.hostname,
        Date.now(),
      ),
      ...judgeRelays(config.smtp.relays),
    ],
    money(config),
    lookAtFilters(config),
  ]);
  return parts.flat();
}

async function lookUp({ mailDomain, smtp, analysis }: Config): Promise<readonly Diagnosis[]> {
  const dns = createNewResolver({ servers: analysis.dnsServers })();
  const { hostname } = smtp;
  const lists = Promise.all(
    [...analysis.refusalBlocklists, ...analysis.dnsbls].map(async (zone) =>
      judgeBlocklist(zone, await dns.addresses(testPointOf(zone), 'A')),
    ),
  );
  if (!isReachable(mailDomain, mailDomain)) return [judgeLocal(mailDomain), ...(await lists)];
  const [mx, a, aaaa, points] = await Promise.all([
    dns.mx(mailDomain),
    dns.addresses(hostname, 'A'),
    dns.addresses(hostname, 'AAAA'),
    lists,
  ]);
  const { addresses, ...address } = judgeAddress(hostname, [a, aaaa]);
  const names = await Promise.all(
    addresses.map(async (ip) =>
      judgePtr(ip, hostname, await dns.names(reverseName(ip) ?? '', 'PTR')),
    ),
  );
  const { xclient, xforward } = smtp.relays;
  const isBehindServer = xclient.length + xforward.length > 0;
  const greetings = await Promise.all(
    addresses.map(async (ip) =>
      judgeGreeting(ip, hostname, await probeGreeting(ip), isOwnAddress(ip), isBehindServer),
    ),
  );
  return [judgeMx(mailDomain, hostname, mx), address, ...names, ...greetings, ...points];
}

/** A test email of our own, which contains no data about anyone. */
const PROBE = {
  bytes: Buffer.from('From: doctor@localhost\r\nSubject: doctor\r\n\r\nIs anybody there?\r\n'),
  ...{ ip: '127.0.0.1', helo: 'localhost', hostname: 'localhost', from: 'doctor@localhost' },
  recipient: 'recipient@localhost',
};

const lookAtFilters = ({ analysis, mailDomain }: Config): Promise<readonly Diagnosis[]> =>
  Promise.all(
    openFilters(analysis.filters).map(async (filter) => {
      const receivedAt = new Date().toISOString();
      const begun = performance.now();
      const signal = AbortSignal.timeout(FILTER_MS);
      try {
        const mail = { ...PROBE, mailDomain, receivedAt };
        const answer = await filter.ask(mail, signal);
        return judgeFilter(filter.name, { answer, milliseconds: performance.now() - begun });
      } catch (error) {
        const fault = signal.aborted ? `no answer within ${FILTER_MS} ms` : printable(error);
        return judgeFilter(filter.name, { fault });
      }
    }),
  );

async function log({ nats, dataDir }: Config): Promise<readonly Diagnosis[]> {
  const needed = fullBytes(nats);
  if (nats.url === null) return [judgeSync('own'), judgeDisk(await probeDisk(dataDir), needed)];
  try {
    const connection = await connectNats({ ...nats, url: nats.url, name: 'doctor' });
    const account = await connection.jsm.getAccountInfo().catch(() => null);
    await connection.close();
    return [
      judgeSync(await readSync(nats.url, nats.monitoringUrl)),
      judgeStore(account?.limits.max_storage ?? null, needed * nats.replicas),
    ];
  } catch {
    return [judgeSync('away')];
  }
}

async function money(config: Config): Promise<readonly Diagnosis[]> {
  const { payment } = config;
  if (!payment) return [examined('payments').ok('off: every report is free')];
  const { rpcUrl, facilitatorUrl } = payment;
  const [asset, nodes, off, payer, books] = await Promise.all([
    readAssetFault(payment, payment).catch(() => null),
    lookAtNodes(payment),
    readClockOffset(rpcUrl, Date.now),
    facilitatorUrl === null ? wallet(payment) : facilitator(payment),
    payee(payment, config).catch((error: unknown) => printable(error)),
  ]);
  const received = judgePayee(books, Date.now() / 1000);
  return [judgeAsset(asset), ...nodes, payer, received, judgeClock(off)];
}

/**
 * Looks for transfers to the payee that are not payments of this log. A log on which no service has run yet
 * counts as empty.
 */
async function payee(payment: PaymentConfig, config: Config) {
  const isEmpty = config.nats.url === null && !existsSync(join(config.dataDir, 'nats', 'store'));
  if (isEmpty) return checkPayee(payment, undefined);
  const source = await openSource(config, ['PAYMENTS']);
  try {
    return await checkPayee(payment, source.payments);
  } finally {
    await source.close();
  }
}

/** Examines each chain node, and whether the nodes agree. */
async function lookAtNodes(payment: PaymentConfig): Promise<readonly Diagnosis[]> {
  const nodes = openNodes(payment, Date.now).filter((node) => node !== undefined);
  const looks = await Promise.all(nodes.map(lookAt));
  const judged = looks.map((look, index) =>
    judgeNode(NODE_SETTINGS[index] ?? 'X402_RPC_URL', look, {
      network: payment.network,
      now: Date.now() / 1000,
    }),
  );
  const seen = looks.filter((look) => 'head' in look);
  if (nodes.length < 2 || seen.length < nodes.length) return judged;
  const fault = await findDifference(nodes, seen).catch(
    (error: unknown): NodeFault => ({ need: 'agreement', reason: printable(error) }),
  );
  return [...judged, judgeAgreement(fault)];
}

async function wallet(payment: PaymentConfig): Promise<Diagnosis> {
  const funds = await walletSettlement(payment, Date.now)
    .funds()
    .catch(() => null);
  return judgeFunds(funds?.settlements ?? null);
}

async function facilitator(payment: PaymentConfig): Promise<Diagnosis> {
  const { facilitatorUrl, cdpKey, network } = payment;
  const remote = facilitatorSettlement({
    url: facilitatorUrl ?? '',
    clock: Date.now,
    random: randomBytes,
    ...(cdpKey && { cdpKey }),
  });
  const terms = paymentTerms(payment, Number.POSITIVE_INFINITY);
  return judgeFacilitator(await remote.supports(terms).catch(() => null), network);
}
