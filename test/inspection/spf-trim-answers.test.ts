import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateSpf } from '../../src/adapters/mailauth/spf.ts';
import { essenceOf } from '../../src/analysis/spf/trim-record.ts';
import { essenceFor } from '../../src/inspection/spf-trim-answers.ts';
import type { EvaluateSpf } from '../../src/ports/reading.ts';
import type { Zone } from '../environment/dns-zone.ts';
import { newSenderKey, SENDER } from '../environment/sender.ts';
import { readOpenspf } from '../tools/conformance/openspf.ts';
import { askZone, resolverOf } from '../tools/conformance/zone-resolver.ts';
import { hostileAnswers } from '../tools/hostile/answers.ts';

/** Every record in its essence, the short ones too. */
const evaluateEssence: EvaluateSpf = (identity, resolver) =>
  evaluateSpf(identity, essenceFor(identity.ip, 0)(resolver));

const suite = new URL('../fixtures/suites/openspf/rfc7208-tests.yml', import.meta.url).pathname;
const { cases } = readOpenspf(suite, evaluateEssence);

describe('the essence of every record gives what the openspf suite wants', () => {
  test('all cases are here', () => expect(cases).toHaveLength(203));
  test.each(cases)('$name', async ({ run }) => {
    expect(await run()).toBeNull();
  });
});

const IP = '192.0.2.25';
const IP6 = '2001:db8::25';

const world: Zone = {
  'good.example': { TXT: [`v=spf1 ip4:${IP} ip6:${IP6} -all`], A: [IP], AAAA: [IP6] },
  'bad.example': { TXT: ['v=spf1 -all'], A: ['203.0.113.9'] },
  'broken.example': { TXT: ['v=spf1 nonsense'] },
  'down.example': 'SERVFAIL',
  'mx.example': { MX: ['10 good.example'] },
  '25.2.0.192.in-addr.arpa': { PTR: ['good.example'] },
};

const term = fc
  .tuple(
    fc.constantFrom('', '', '+', '-', '~', '?'),
    fc.constantFrom(
      'all',
      `ip4:${IP}`,
      'ip4:192.0.2.0/24',
      'ip4:192.0.2.0/28',
      'ip4:0.0.0.0/0',
      'ip4:203.0.113.1',
      'ip4:203.0.113.1/33',
      'ip4:192.0.2.025',
      `ip6:${IP6}`,
      'ip6:2001:db8::/32',
      'ip6:2001:db9::/32',
      'ip6:::/0',
      'ip6:::192.0.2.25',
      'ip6:::ffff:192.0.2.25',
      'a',
      'a:good.example',
      'a:bad.example/8',
      'a:good.example/24//64',
      'mx:mx.example',
      'ptr',
      'ptr:good.example',
      'include:good.example',
      'include:bad.example',
      'include:broken.example',
      'include:none.example',
      'exists:down.example',
      'exists:%{i}.none.example',
      'exists:good.example',
      `include:${'x'.repeat(64)}.example`,
      `a:${'x.'.repeat(200)}good.example`,
      `a:${'x'.repeat(300)}.good.example`,
      `a:${'x'.repeat(400)}`,
      `exists:${'%{d1r.-}.'.repeat(90)}good.example`,
      `a:${'%{v}'.repeat(300)}.good.example`,
      `include:%{d${'9'.repeat(400)}}`,
      'redirect=good.example',
      'redirect=bad.example',
      'redirect=none.example',
      'exp=why.example',
      'x=y',
      'x=%{q}',
      'nonsense',
      'a:',
      'ü',
    ),
  )
  .map((parts) => parts.join(''));

test.each([IP, IP6, `::ffff:${IP}`])(
  'the essence of any record gives %s what the record gives',
  async (ip) => {
    const record = fc.array(term, { maxLength: 14 }).map((all) => ['v=spf1', ...all].join(' '));
    await fc.assert(
      fc.asyncProperty(record, async (text) => {
        const resolver = resolverOf(askZone({ ...world, 'example.com': { TXT: [text] } }));
        const identity = { ip, helo: 'mail.example.com', localPart: 'news', domain: 'example.com' };
        const whole = await evaluateSpf(identity, resolver);
        const { result } = await evaluateEssence(identity, resolver);
        // RFC 7208 §4.6.4 counts terms; the evaluation does not count those whose name can be none.
        if (text.split(/ [+\-~?]?(?:a|mx|ptr|include|exists)/).length <= 11)
          expect(result).toBe(whole.result);
      }),
      { numRuns: 1500, seed: 7208 },
    );
  },
);

test.each([
  ['terms behind a match', `ip4:${IP} ip4:203.0.113.1 a mx -all`, `ip4:${IP}`],
  ['networks without the sender', 'ip4:203.0.113.1 ip6:2001:db8::1 -all', '-all'],
  ['modifiers that say nothing', 'x=y exp=why.example a', 'a'],
  ['a redirect= beside all', 'redirect=good.example ~all', '~all'],
  [
    'the begin of a name that is too long',
    `a:${'x.'.repeat(400)}example`,
    `a:.${'x.'.repeat(123)}example`,
  ],
])('%s go', (_, record, essence) => {
  expect(essenceOf(`v=spf1 ${record}`, IP, 0)).toBe(`v=spf1 ${essence}`);
});

test('an ordinary record stays as it is', () => {
  const record = `v=spf1 x=y ip4:203.0.113.1 ${'ip4:203.0.113.2 '.repeat(120)}-all`;
  expect(essenceOf(record, IP)).toBe(record);
});

test('a fault behind all that counts breaks a long record', async () => {
  const record = `v=spf1 ip4:${IP} -all ${'a '.repeat(30_000)} nonsense`;
  const resolver = resolverOf(askZone({ 'example.com': { TXT: [record] } }));
  const identity = { ip: IP, helo: 'h.example', localPart: 'a', domain: 'example.com' };
  const { result } = await evaluateSpf(identity, essenceFor(IP)(resolver));
  expect(result).toBe('permerror');
});

test('more terms than may ask the DNS are a permerror, though none of them has a name to ask', async () => {
  const record = `v=spf1 ${`exists:${'x'.repeat(64)}.example `.repeat(100)}-all`;
  const resolver = resolverOf(askZone({ 'example.com': { TXT: [record] } }));
  const identity = { ip: IP, helo: 'h.example', localPart: 'a', domain: 'example.com' };
  const { result } = await evaluateSpf(identity, essenceFor(IP)(resolver));
  expect(result).toBe('permerror');
});

const shapes = Object.entries(hostileAnswers(newSenderKey())).flatMap(([name, make]) =>
  Object.values(make().zone).flatMap((held) =>
    typeof held === 'string'
      ? []
      : (held.TXT ?? [])
          .map(String)
          .flatMap((text) => (/^v=spf1 /.test(text) ? [[name, text] as const] : [])),
  ),
);

test.each(shapes)('%s: what the evaluation gets is an ordinary record', (_, record) => {
  // Eleven terms that ask, what ends them, and of each no more than a name can be made of.
  const essence = essenceOf(record, SENDER.ip);
  expect(essence.split(' ').length).toBeLessThanOrEqual(14 + (record.length > 2048 ? 0 : 1000));
  expect(essence.length).toBeLessThanOrEqual(record.length > 2048 ? 6000 : 2048);
});

test('a record is read once, however often it is evaluated', async () => {
  let reads = 0;
  const strings = [`v=spf1 ${'ip4:203.0.113.1 '.repeat(300)}-all`];
  const answer = {
    status: 'found' as const,
    cnames: [],
    get records() {
      reads += 1;
      return [strings];
    },
  };
  const resolver = essenceFor(IP)(resolverOf(async () => answer));
  const identity = { ip: IP, helo: 'h.example', localPart: 'a', domain: 'example.com' };
  for (let n = 0; n < 20; n += 1) await evaluateSpf(identity, resolver);
  expect(reads).toBe(1);
});
