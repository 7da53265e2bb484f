/**
 * Starts the real inspection of emails with a DNS server on loopback, and provides a correct zone,
 * email and signature for it.
 */

import { generateKeyPairSync } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { checkInWorker } from '../../../src/adapters/certificate-worker/check.ts';
import { createNewResolver } from '../../../src/adapters/dns/resolver.ts';
import { checkHost } from '../../../src/adapters/mailauth/check-host.ts';
import { verifyMail } from '../../../src/adapters/mailauth/verify.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import type { GateFacts } from '../../../src/analysis/gate.ts';

import { createInspect, type InspectPorts } from '../../../src/inspection/inspect.ts';
import { createReadMail } from '../../../src/inspection/read-parts.ts';
import { createSlices } from '../../../src/inspection/slices.ts';
import type { NewResolver } from '../../../src/ports/dns.ts';
import type {
  ArrivalTimes,
  ClientFacts,
  Inspect,
  Inspection,
  ProviderBlock,
} from '../../../src/ports/mail.ts';
import { type DnsServer, startDnsServer } from '../../environment/dns-server.ts';
import type { Zone, ZoneRecords } from '../../environment/dns-zone.ts';

export const IP = '192.0.2.25';

/** Key pair for all tests, because making one takes a tenth of a second. */
export const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

export const keyRecord = `v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}`;

/** Correct records for email of `example.com` from `IP`. */
export const rightZone = {
  'example.com': {
    A: ['192.0.2.80'],
    MX: ['10 mail.example.com'],
    NS: ['ns1.provider.example', 'ns2.provider.example'],
    TXT: ['v=spf1 ip4:192.0.2.25 -all', 'site-verification=1'],
  },
  'mail.example.com': { A: [IP], TXT: ['v=spf1 a -all'] },
  '25.2.0.192.in-addr.arpa': { PTR: ['mail.example.com'] },
  's1._domainkey.example.com': { TXT: [keyRecord] },
  '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject; rua=mailto:dmarc@example.com'] },
  '_smtp._tls.example.com': { TXT: ['v=TLSRPTv1; rua=mailto:tls@example.com'] },
  '2.0.0.127.bl.spamcop.net': { A: ['127.0.0.2'] },
  '2.0.0.127.psbl.surriel.com': { A: ['127.0.0.2'] },
} satisfies Zone;

/** Returns the correct zone with some names changed. `null` removes a name. */
export const zoneWith = (changes: Readonly<Record<string, ZoneRecords | null>>): Zone =>
  Object.fromEntries(
    Object.entries({ ...rightZone, ...changes }).filter(([, records]) => records !== null),
  ) as Zone;

export const rightMail = [
  'From: Shop <news@example.com>',
  'To: abcdefghijkl@in.example.net',
  'Subject: Your order',
  'Date: Fri, 20 Nov 2026 10:00:00 +0000',
  'Message-ID: <1@example.com>',
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Thank you for your order. https://www.example.com/orders',
  '',
].join('\r\n');

/** When the emails of these tests arrive. */
export const ARRIVAL = '2026-11-20T10:00:05.000Z';

/** Adds a signature over the usual header fields, above the email. */
export async function sign(
  mail: string,
  { domain = 'example.com', selector = 's1', ...more }: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const signatureData = [{ signingDomain: domain, selector, privateKey: keys.privateKey, ...more }];
  // The types of the library only know its older form of one signature.
  const options = { signTime: new Date(ARRIVAL), ...more, signatureData };
  const { signatures, errors } = await dkimSign(mail, options as never);
  if (errors.length > 0 || signatures === '') throw errors[0]?.err ?? new Error('not signed');
  return signatures + mail;
}

export const toBytes = (mail: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(mail);

export const client: ClientFacts = {
  ip: IP,
  helo: 'mail.example.com',
  source: 'smtp',
  tls: { status: 'tls', version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' },
};

export const about: Parameters<Inspect>[0] = {
  testId: 'abcdefghijkl',
  mailDomain: 'in.example.net',
  client,
  from: { localPart: 'bounce', domain: 'example.com', smtputf8: false },
};

export interface InspectionEnvironment {
  readonly dns: DnsServer;
  readonly newResolver: NewResolver;
  readonly inspect: Inspect;
  create(changes: Partial<InspectPorts>): Inspect;
  stop(): Promise<void>;
}

export const inSlice = createSlices();

/** Reads emails as a worker does, in this thread. */
export const readHere = createReadMail({
  verifyMail,
  mark: () => {},
  inSlice,
  onDefect: (_, error) => {
    throw error;
  },
});

/** Reads an email to the end, and releases it. */
export async function readFacts(
  inspection: Inspection,
  mail: Uint8Array<ArrayBuffer>,
  {
    block,
    receivedAt = ARRIVAL,
    expiresAt = ARRIVAL,
  }: { readonly block?: ProviderBlock | undefined } & Partial<ArrivalTimes> = {},
): Promise<{ readonly gate: GateFacts; readonly facts: Facts }> {
  const inspected = await inspection.read(mail, block);
  const { gate } = inspected;
  const facts = await inspected.facts({ receivedAt, expiresAt });
  inspected.end();
  if (facts === 'lost') throw new Error('The worker was lost.');
  return { gate, facts };
}

/** Starts the real inspection with a DNS server on loopback. */
export async function startInspectionEnvironment(
  // The limit is long, because a fixture that is late on a busy machine must not become a fact.
  timeoutMs = 5000,
  validates = false,
): Promise<InspectionEnvironment> {
  const dns = await startDnsServer({ zone: rightZone });
  const newResolver = createNewResolver({
    servers: [dns.address],
    validates,
    timeoutMs,
    tries: 1,
  });
  const checkCertificate = checkInWorker(
    new URL('../../../src/certificate-worker.ts', import.meta.url),
  );
  const create = (changes: Partial<InspectPorts>) =>
    createInspect({
      checkHost,
      newResolver,
      beginReading: readHere,
      checkCertificate,
      fetch: async () => ({ status: 'failed', fault: 'ours', reason: 'no network in this test' }),
      webRisk: { configured: false, lookUpHosts: async () => ({}) },
      clock: () => Date.parse(ARRIVAL),
      refusalBlocklists: ['psbl.surriel.com'],
      dnsbls: [],
      ...changes,
    });
  return {
    dns,
    newResolver,
    inspect: create({}),
    create,
    stop: () => dns.stop(),
  };
}
