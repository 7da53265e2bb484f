import { createNewResolver } from '../../../../src/adapters/dns/resolver.ts';
import { type DnsServer, startDnsServer } from '../../../environment/dns-server.ts';
import type { Zone } from '../../../environment/dns-zone.ts';
import { demoMail } from '../../../environment/mail.ts';
import { SENDER, type SenderKey, senderZone } from '../../../environment/sender.ts';
import type { Figure } from '../figures.ts';
import { compose } from '../sized-mail.ts';
import { median } from '../statistics.ts';
import { createAnalysis, RECIPIENT } from './analyze.ts';

/** What a resolver takes for a name that it has to look for, in milliseconds. */
const ANSWER_MS = 50;

/** So slow that the time of an analysis counts the answers that waited for one another. */
const SLOW_MS = 1000;

/** On top of the answers that wait for one another, in milliseconds. */
const MOST_MS = 60;

const WARM_UPS = 5;
const RUNS = 40;

const { domain, host, ip } = SENDER;

/** Records that make one answer wait for another. */
const environments: Readonly<Record<string, Zone>> = {
  'all at once': {},
  'a PTR name besides HELO': {
    [`${ip.split('.').reverse().join('.')}.in-addr.arpa`]: { PTR: ['other.sender.example'] },
    'other.sender.example': { A: [ip] },
  },
  'SPF two includes deep': {
    [domain]: { A: ['192.0.2.80'], MX: [`10 ${host}`], TXT: ['v=spf1 include:a.example -all'] },
    'a.example': { TXT: ['v=spf1 include:b.example -all'] },
    'b.example': { TXT: [`v=spf1 ip4:${ip} -all`] },
  },
  'reports to another domain': {
    [`_dmarc.${domain}`]: { TXT: ['v=DMARC1; p=none; rua=mailto:dmarc@reports.example'] },
    'reports.example': { MX: ['10 mx.reports.example'] },
  },
};

/**
 * How long an analysis takes when DNS needs its time, less the longest chain of questions that
 * wait for one another.
 */
export async function measureChains(key: SenderKey): Promise<Figure[]> {
  const mail = await compose(demoMail(RECIPIENT, key));
  const dns = await startDnsServer({ zone: senderZone(key) });
  const analysis = createAnalysis(
    createNewResolver({ servers: [dns.address], timeoutMs: 10 * SLOW_MS }),
  );
  try {
    const figures: Figure[] = [];
    for (const [name, changes] of Object.entries(environments)) {
      dns.setZone({ ...senderZone(key), ...changes });
      figures.push(await measure(name, dns, () => analysis.analyze(mail)));
    }
    return figures;
  } finally {
    await dns.stop();
  }
}

async function measure(name: string, dns: DnsServer, run: () => Promise<number>): Promise<Figure> {
  dns.setDelay(0);
  for (let i = 0; i < WARM_UPS; i += 1) await run();
  dns.setDelay(SLOW_MS);
  const chain = Math.floor((await run()) / SLOW_MS);
  dns.setDelay(ANSWER_MS);
  const took: number[] = [];
  for (let i = 0; i < RUNS; i += 1) took.push(await run());
  return {
    what: `DNS in ${ANSWER_MS} ms, ${name}: beyond ${chain} × ${ANSWER_MS} ms`,
    value: median(took) - chain * ANSWER_MS,
    unit: 'ms',
    target: { most: MOST_MS },
  };
}
