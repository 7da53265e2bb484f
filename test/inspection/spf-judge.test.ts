import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SpfEvaluation } from '../../src/analysis/spf/evaluate.ts';
import { readSpfRecords } from '../../src/analysis/spf/records.ts';
import type { Zone } from '../environment/dns-zone.ts';
import { newSenderKey, SENDER } from '../environment/sender.ts';
import { evaluateSpf } from '../support/mail/evaluate-spf.ts';
import { judgeByMailauth } from '../support/mail/mailauth-spf.ts';
import { askZone, resolverOf } from '../tools/conformance/zone-resolver.ts';
import { hostileAnswers } from '../tools/hostile/answers.ts';

const IP = '192.0.2.25';
const IP6 = '2001:db8::25';

const environment: Zone = {
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

/** Where the two count alike: mailauth counts void queries, and no term whose name can be none. */
const isCountedAlike = ({ lookups, voidQueries }: SpfEvaluation, text: string): boolean =>
  voidQueries <= 2 && lookups <= 10 && text.split(ASKING).length <= 10;

const ASKING = / [+\-~?]?(?:a|mx|ptr|include|exists)/;

test.each([IP, IP6, `::ffff:${IP}`])(
  'mailauth gives %s the same result of any record',
  async (ip) => {
    const record = fc.array(term, { maxLength: 14 }).map((all) => ['v=spf1', ...all].join(' '));
    await fc.assert(
      fc.asyncProperty(record, async (text) => {
        const resolver = resolverOf(askZone({ ...environment, 'example.com': { TXT: [text] } }));
        const identity = { ip, helo: 'mail.example.com', localPart: 'news', domain: 'example.com' };
        const own = await evaluateSpf(identity, resolver);
        if (isCountedAlike(own, text))
          expect(own.result).toBe(await judgeByMailauth(identity, resolver));
      }),
      { numRuns: 1500, seed: 7208 },
    );
  },
);

const readOf = (record: string, ip = IP) =>
  readSpfRecords({ status: 'found', records: [[record]] }, ip)[0];

test.each([
  ['mechanisms behind all', 'a -all mx', 'a -all'],
  ['networks without the sender', 'ip4:203.0.113.1 ip6:2001:db8::1 -all', '-all'],
  ['networks behind the one that holds the sender', `ip4:${IP} ip4:${IP}/24 a`, `ip4:${IP} a`],
  ['modifiers that do not matter', 'x=y exp=why.example a', 'a'],
  ['a redirect= beside all', 'redirect=good.example ~all', '~all'],
])('%s are not read', (_, record, terms) => {
  expect(
    readOf(`v=spf1 ${record}`)
      ?.terms.map(({ text }) => text)
      .join(' '),
  ).toBe(terms);
});

test('redirect= is read last, wherever it stands', () => {
  const texts = readOf('v=spf1 redirect=good.example a')?.terms.map(({ text }) => text);
  expect(texts).toEqual(['a', 'redirect=good.example']);
});

test('a fault behind all that counts breaks a long record', () => {
  expect(readOf(`v=spf1 ip4:${IP} -all ${'a '.repeat(30_000)} nonsense`)?.fault).toBe('nonsense');
});

test('more terms than may query are a permerror, though none of them has a name to ask', async () => {
  const record = `v=spf1 ${`exists:${'x'.repeat(64)}.example `.repeat(100)}-all`;
  const resolver = resolverOf(askZone({ 'example.com': { TXT: [record] } }));
  const identity = { ip: IP, helo: 'h.example', localPart: 'a', domain: 'example.com' };
  expect(await evaluateSpf(identity, resolver)).toMatchObject({ result: 'permerror' });
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

test.each(shapes)('%s: what the evaluation goes through is an ordinary record', (_, record) => {
  const reading = readOf(record, SENDER.ip);
  expect(reading?.terms.length).toBeLessThanOrEqual(500);
  for (const { spec } of reading?.terms ?? []) expect(spec.length).toBeLessThanOrEqual(3000);
});
