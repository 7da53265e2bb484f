/** Tests `operate -- doctor`, which examines an installation. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { examine } from '../../../src/operator/doctor/doctor.ts';
import { startDnsServer } from '../../environment/dns-server.ts';
import {
  answerAsRspamd,
  answerAsSpamd,
  spamdReport,
  startFilter,
} from '../../support/filters/fake-filter.ts';
import {
  type PaymentFixtures,
  startPaymentFixtures,
} from '../../support/payments/payment-fixtures.ts';

let fixtures: PaymentFixtures;
let dns: Awaited<ReturnType<typeof startDnsServer>>;
beforeAll(async () => {
  fixtures = await startPaymentFixtures('facilitator');
  dns = await startDnsServer({
    zone: {
      'in.example.net': { MX: ['10 mx.example.net'] },
      'mx.example.net': { A: ['192.0.2.7'] },
      '7.2.0.192.in-addr.arpa': { PTR: ['mx.example.net'] },
      '2.0.0.127.psbl.surriel.com': { A: ['127.0.0.2'] },
    },
  });
});
afterAll(async () => {
  await dns?.stop();
  await fixtures?.stop();
});

const look = async (settings: Record<string, string> = {}, payment: object = {}) => {
  const env = {
    ...fixtures.settings,
    DNS_SERVERS: dns.address,
    SMTP_HOSTNAME: 'mx.example.net',
    ...settings,
  };
  const config = readConfig(env, { natsMonitoringUrl: fixtures.nats.monitoringUrl });
  const sold = config.payment && { ...config.payment, ...payment };
  const findings = await examine({ ...config, payment: sold });
  return { findings, levels: Object.fromEntries(findings.map((one) => [one.check, one.level])) };
};

test('an environment in order is ok, except for what it lacks', async () => {
  const { levels } = await look();
  expect(levels).toEqual({
    'MX of in.example.net': 'ok',
    'addresses of mx.example.net': 'ok',
    'PTR of 192.0.2.7': 'ok',
    'blocklist psbl.surriel.com': 'ok',
    // This server syncs every two minutes.
    'nats-server': 'fail',
    'SMTP certificate': 'warn',
    // The address belongs to nobody.
    'port 25 of 192.0.2.7': 'warn',
    'store of nats-server': 'ok',
    'node of the chain': 'ok',
    payee: 'ok',
    clock: 'ok',
    asset: 'ok',
    facilitator: 'ok',
  });
});

test('faults are found, and no secret is shown', async () => {
  const secret = 'rpc-key-of-mine';
  const { levels, findings } = await look({
    X402_RPC_URL: `http://127.0.0.1:9/${secret}`,
    X402_FACILITATOR_URL: `http://127.0.0.1:9/${secret}`,
    NATS_URL: `nats://${secret}@127.0.0.1:9`,
  });
  expect(levels).toMatchObject({ asset: 'fail', facilitator: 'fail', 'nats-server': 'fail' });
  expect(JSON.stringify(findings)).not.toContain(secret);
});

test('another chain behind the RPC URL is detected', async () => {
  const { levels } = await look({}, { network: 'eip155:84532', assetName: 'USDC' });
  expect(levels).toMatchObject({ asset: 'fail', facilitator: 'fail' });
});

test.each([
  ['localhost', 'ok', /not set/],
  ['in.lan', 'warn', /cannot be looked up/],
])('without a domain on the Internet, %s, no record is looked up', async (domain, level, text) => {
  const { findings } = await look({ MAIL_DOMAIN: domain, SMTP_HOSTNAME: '' });
  const [first, ...others] = findings;
  expect(first).toMatchObject({ check: 'MAIL_DOMAIN', level, detail: expect.stringMatching(text) });
  expect(
    others.map(({ check }) => check).filter((one) => /^(MX|addresses|PTR|port)/.test(one)),
  ).toEqual([]);
});

test('the operator’s filters are asked about a test email of ours', async () => {
  const spamd = await startFilter(answerAsSpamd(spamdReport([])));
  const rspamd = await startFilter(answerAsRspamd('{"score":'));
  const { findings } = await look({
    SPAMD_ADDRESS: `127.0.0.1:${spamd.port}`,
    RSPAMD_URL: `http://127.0.0.1:${rspamd.port}`,
  });
  await Promise.all([spamd.stop(), rspamd.stop()]);
  const of = (name: string) => findings.find(({ check }) => check === `spam filter of ${name}`);
  expect(of('SPAMD_ADDRESS')).toMatchObject({
    detail: expect.stringMatching(
      /SpamAssassin 4\.0\.1 responds after \d+ ms; could not check whether/,
    ),
  });
  expect(of('RSPAMD_URL')).toMatchObject({
    level: 'fail',
    detail: expect.stringContaining('cannot be used: unreadable_answer; reports say'),
  });
});
