/** Tests how many rounds of DNS lookups, each waiting for the one before, an inspection takes. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DnsAnswer, RecordType, Resolver } from '../../src/ports/dns.ts';
import {
  about,
  type InspectionEnvironment,
  readFacts,
  rightMail,
  rightZone,
  sign,
  startInspectionEnvironment,
  toBytes,
  zoneWith,
} from '../support/mail/inspection-environment.ts';

let environment: InspectionEnvironment;
beforeAll(async () => {
  environment = await startInspectionEnvironment();
  // The test points of the lists are looked up once an hour, not for each email.
  const inspection = environment.inspect(about);
  const inspected = await inspection.read(toBytes(rightMail));
  inspected.end();
});
afterAll(() => environment.stop());

/** Number of beats without an open query, after which nothing more is asked before an answer comes. */
const QUIET_BEATS = 15;

/**
 * Duration of a beat in milliseconds. Beats are counted one by one, because a process that stood still has
 * not had its turns.
 */
const BEAT_MS = 10;

/**
 * Holds every answer back until no further question comes, and counts how often: that many answers waited for
 * each other. On a busy machine, time says nothing, but this does.
 */
function countRounds(inner: Resolver): { readonly resolver: Resolver; rounds(): number } {
  let rounds = 0;
  let held: (() => void)[] = [];
  let open = 0;
  let timer: NodeJS.Timeout | undefined;
  const release = (beats: number) => {
    if (open > 0) return;
    if (beats > 0) {
      timer = setTimeout(release, BEAT_MS, beats - 1);
      return;
    }
    rounds += 1;
    const all = held;
    held = [];
    for (const go of all) go();
  };
  const hold = async <T>(answer: Promise<T>): Promise<T> => {
    open += 1;
    const said = await answer;
    open -= 1;
    clearTimeout(timer);
    timer = setTimeout(release, BEAT_MS, QUIET_BEATS - 1);
    await new Promise<void>((resolve) => held.push(resolve));
    return said;
  };
  const shared = new Map<string, Promise<DnsAnswer<unknown>>>();
  const ask = (name: string, type: RecordType) => {
    const key = `${type} ${name}`;
    const answer = shared.get(key) ?? hold(inner.ask(name, type));
    shared.set(key, answer);
    return answer;
  };
  const resolver: Resolver = {
    ...inner,
    txt: (name: string, type: 'TXT' | 'SPF' = 'TXT') => ask(name, type),
    addresses: ask,
    mx: (name: string) => ask(name, 'MX'),
    names: ask,
    ask,
  } as Resolver;
  return { resolver, rounds: () => rounds };
}

const inspect = async (mail: string) => {
  const counted = countRounds(environment.newResolver());
  let isFirst = true;
  const inspect = environment.create({
    // The first resolver is the email's, and the others are the lists' own.
    newResolver: () => {
      const resolver = isFirst ? counted.resolver : environment.newResolver();
      isFirst = false;
      return resolver;
    },
  });
  await readFacts(inspect(about), toBytes(mail));
  return counted.rounds();
};

test('a correct email waits for one answer, and for the addresses of its name servers', async () => {
  environment.dns.setZone(rightZone);
  expect(await inspect(await sign(rightMail))).toBe(2);
});

test('a DMARC record that may need a fix costs none', async () => {
  environment.dns.setZone(
    zoneWith({
      'example.com': { ...rightZone['example.com'], NS: [] },
      '_dmarc.example.com': { TXT: ['v=DMARC1; p=none; rua=mailto:dmarc@example.com'] },
    }),
  );
  expect(await inspect(await sign(rightMail))).toBe(1);
});

test('PTR names other than HELO cost one more', async () => {
  environment.dns.setZone(
    zoneWith({ '25.2.0.192.in-addr.arpa': { PTR: ['a.example', 'b.example'] } }),
  );
  expect(await inspect(await sign(rightMail))).toBe(2);
});

test('MX hosts that nothing else names cost one more', async () => {
  const hosts = Array.from({ length: 12 }, (_, i) => `mx${i}.example.net`);
  environment.dns.setZone(
    zoneWith({
      'example.com': {
        A: ['192.0.2.80'],
        MX: hosts.map((host, i) => `${i} ${host}`),
        TXT: ['v=spf1 ip4:192.0.2.25 -all'],
      },
      'mx0.example.net': { CNAME: 'mx.provider.example' },
      'mx.provider.example': { A: ['192.0.2.26'] },
    }),
  );
  const before = environment.dns.queries.length;
  expect(await inspect(await sign(rightMail))).toBe(2);
  const asked = new Set(environment.dns.queries.slice(before).map(({ name }) => name));
  expect(hosts.filter((host) => asked.has(host))).toEqual(hosts.slice(0, 10));
});

test('an include: costs one answer per level, however many there are beside it', async () => {
  const spf = (...terms: string[]) => ({ TXT: [`v=spf1 ${terms.join(' ')} -all`] });
  environment.dns.setZone(
    zoneWith({
      'example.com': spf('include:a.example', 'include:b.example', 'include:c.example', 'mx'),
      'a.example': spf('include:d.example', 'a:x.example'),
      'b.example': spf('include:e.example', 'mx'),
      'c.example': spf('ip4:192.0.2.1'),
      'd.example': spf('ip4:192.0.2.2'),
      'e.example': spf('ip4:192.0.2.25'),
    }),
  );
  expect(await inspect(await sign(rightMail))).toBe(3);
});

test('signatures, walks and report addresses wait only for their own names', async () => {
  environment.dns.setZone(
    zoneWith({
      '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject; rua=mailto:a@reports.example.net'] },
      'example.com._report._dmarc.reports.example.net': { TXT: ['v=DMARC1'] },
      'reports.example.net': { MX: ['10 mx.example.net'] },
    }),
  );
  let mail = await sign(rightMail);
  for (let i = 0; i < 5; i += 1) mail = await sign(mail, { domain: `d${i}.example.com` });
  expect(await inspect(mail)).toBe(2);
});
