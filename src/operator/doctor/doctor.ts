import { randomBytes } from 'node:crypto';
import { readAssetFault, readHeadTime } from '../../adapters/chain/asset.ts';
import { readClockOffset } from '../../adapters/chain/node-clock.ts';
import { createNewResolver } from '../../adapters/dns/resolver.ts';
import { facilitatorSettlement } from '../../adapters/facilitator/facilitator-settlement.ts';
import { connectNats } from '../../adapters/nats/connection.ts';
import { fullBytes } from '../../adapters/nats/streams.ts';
import { readSync } from '../../adapters/nats/sync.ts';
import { isOwnAddress } from '../../adapters/web/address-guard.ts';
import { reverseName } from '../../analysis/names/host-name.ts';
import { readOptions } from '../../config/command-line.ts';
import { type Config, loadConfig, type PaymentConfig } from '../../config/config.ts';
import { testPointOf } from '../../domain/dnsbls.ts';
import { paymentTerms } from '../../domain/payment-terms.ts';
import { walletSettlement } from '../../service/settlement.ts';
import { type Diagnosis, examined } from './diagnosis.ts';
import { judgeAddress, judgeBlocklist, judgeMx, judgePtr } from './judge-dns.ts';
import {
  judgeClock,
  judgeDisk,
  judgeGreeting,
  judgeStore,
  judgeSync,
  judgeTlsCertificate,
} from './judge-machine.ts';
import { judgeAsset, judgeFacilitator, judgeFunds, judgeNode } from './judge-money.ts';
import { probeCertificate, probeDisk, probeGreeting } from './probe.ts';

/** `operator.ts doctor`: examines everything around the service. Resolves to 1 when something fails. */
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

/** Everything at once; no setting's secret is in the result. */
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
    ],
    money(config),
  ]);
  return parts.flat();
}

async function lookUp({ mailDomain, smtp, analysis }: Config): Promise<readonly Diagnosis[]> {
  const dns = createNewResolver({ servers: analysis.dnsServers })();
  const { hostname } = smtp;
  const [mx, a, aaaa, points] = await Promise.all([
    dns.mx(mailDomain),
    dns.addresses(hostname, 'A'),
    dns.addresses(hostname, 'AAAA'),
    Promise.all(
      [...analysis.refusalBlocklists, ...analysis.dnsbls].map(async (zone) =>
        judgeBlocklist(zone, await dns.addresses(testPointOf(zone), 'A')),
      ),
    ),
  ]);
  const { addresses, ...address } = judgeAddress(hostname, [a, aaaa]);
  const names = await Promise.all(
    addresses.map(async (ip) =>
      judgePtr(ip, hostname, await dns.names(reverseName(ip) ?? '', 'PTR')),
    ),
  );
  const greetings = await Promise.all(
    addresses.map(async (ip) =>
      judgeGreeting(ip, hostname, await probeGreeting(ip), isOwnAddress(ip)),
    ),
  );
  return [judgeMx(mailDomain, hostname, mx), address, ...names, ...greetings, ...points];
}

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

async function money({ payment }: Config): Promise<readonly Diagnosis[]> {
  if (!payment) return [examined('payments').ok('off: every report is free')];
  const { rpcUrl, network, facilitatorUrl } = payment;
  const [asset, head, off, payer] = await Promise.all([
    readAssetFault(payment, payment).catch(() => null),
    readHeadTime({ rpcUrl, network }).catch(() => null),
    readClockOffset(rpcUrl, Date.now),
    facilitatorUrl === null ? wallet(payment) : facilitator(payment),
  ]);
  const age = head === null ? null : Date.now() / 1000 - head;
  return [judgeAsset(asset), judgeNode(age), payer, judgeClock(off)];
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
