/** Tests the fixes that `deliverability domain` prints for a zone, without an email or a name server. */

import { expect, test } from 'vitest';
import { domainReport } from '../../../src/client/domain/domain-report.ts';
import { dnsSources } from '../../../src/client/lint/dns-options.ts';
import type { Case } from '../../analysis/whole/case.ts';
import { keyRecord } from '../../analysis/whole/keys.ts';
import { KEY, ORIGIN, spf, zoneWith } from '../../analysis/whole/zone.ts';
import { writeZoneFile } from '../lint/write-zone-file.ts';

const reportOn = (zone: Case['zone'], name = 'example.com', selectors: readonly string[] = []) =>
  domainReport(name, selectors, dnsSources({ zone: writeZoneFile(zoneWith(zone)) }));

/** Returns the steps of a fix, each as its kind, operation, name and value. */
async function stepsFor(id: string, ...about: Parameters<typeof reportOn>) {
  const { findings } = await reportOn(...about);
  const { actions = [] } = findings.find((one) => one.id === id) ?? {};
  return actions.map(({ kind, operation, name, value }) =>
    kind === 'ask' ? `ask: ${value}` : `${operation} ${name}: ${value}`,
  );
}

test.each([
  '“v=spf1 ip4:192.0.2.25 -all”',
  '"v=spf1 ip4:192.0.2.25 -all"',
  'v=spf1\u00a0ip4:192.0.2.25\u00a0-all',
  'v=spf1; ip4:192.0.2.25; -all',
  '@ IN TXT "v=spf1 ip4:192.0.2.25 -all"',
])('%s, which is no SPF record, is replaced by the intended one', async (text) => {
  expect(await stepsFor('spf_record', spf(text))).toEqual([
    'replace example.com: v=spf1 ip4:192.0.2.25 -all',
  ]);
});

test('an SPF record at _spf. alone is included at the domain', async () => {
  const below = { TXT: ['v=spf1 ip4:192.0.2.25 -all'] };
  const zone = { 'example.com': ORIGIN, '_spf.example.com': below };
  expect(await stepsFor('spf_record', zone)).toEqual([
    'publish example.com: v=spf1 include:_spf.example.com ~all',
  ]);
});

test.each([
  ['include:example.com -all', 'spf_lookup_limit', 'v=spf1 ip4:192.0.2.25 -all'],
  ['redirect=example.com', 'spf_lookup_limit', 'v=spf1 ip4:192.0.2.25 ~all'],
  ['redirect=example.com', 'spf_all_qualifier', 'v=spf1 ip4:192.0.2.25 ~all'],
])('a record that contains itself (%s) loses that term in one step', async (term, id, record) => {
  expect(await stepsFor(id, spf(`v=spf1 ip4:192.0.2.25 ${term}`))).toEqual([
    `replace example.com: ${record}`,
  ]);
});

test('a record is printed only once, after the question about a loop', async () => {
  const zone = {
    ...spf('v=spf1 ip4:192.0.2.25 include:loop.example.net -all'),
    'loop.example.net': { TXT: ['v=spf1 include:example.com -all'] },
  };
  const steps = await stepsFor('spf_lookup_limit', zone);
  expect(steps).toEqual([
    expect.stringMatching(/^ask: include:loop\.example\.net leads back/),
    'replace example.com: v=spf1 ip4:192.0.2.25 -all',
  ]);
});

test('a text at _dmarc that is no DMARC record is part of the fix for the missing record', async () => {
  const steps = await stepsFor('dmarc_record', { '_dmarc.example.com': { TXT: ['v=spf1 -all'] } });
  expect(steps).toEqual([
    expect.stringMatching(/^do mailbox: /),
    'publish _dmarc.example.com: v=DMARC1; p=none; rua=mailto:dmarc@example.com',
    expect.stringMatching(/^ask: Receivers ignore text at _dmarc\.example\.com/),
    'delete _dmarc.example.com: null',
  ]);
});

test.each([
  ['_dmarc.news.example.com', 'pass'],
  ['_dmarc.example.com', 'warn'],
])('sp=none at %s counts only if the record applies to other names', async (name, severity) => {
  const zone = { 'news.example.com': { MX: ORIGIN.MX } };
  const record = { [name]: { TXT: ['v=DMARC1; p=reject; sp=none; rua=mailto:d@example.com'] } };
  const { findings } = await reportOn({ ...zone, ...record }, 'news.example.com');
  expect(findings.find(({ id }) => id === 'dmarc_subdomain_policy')?.severity).toBe(severity);
});

test.each([
  [null, 'dmarc_record', ['ask: Which mailbox', 'publish _dmarc.example.com: v=DMARC1; p=none']],
  ['v=DMARC1; p=none', 'dmarc_policy', ['ask: Where can the reports go?']],
])('no mailbox is proposed at an organization without MX (%s)', async (text, id, expected) => {
  const zone = {
    'example.com': { A: ['192.0.2.80'] },
    '_dmarc.example.com': text === null ? null : { TXT: [text] },
    'news.example.com': { MX: ORIGIN.MX },
  };
  const steps = await stepsFor(id, zone, 'news.example.com');
  expect(steps).toEqual(expected.map((start) => expect.stringContaining(start)));
});

test.each([{ A: ['192.0.2.80'] }, {}])(
  'a domain that sends nothing and has no MX is told how to say so (%j)',
  async (records) => {
    const zone = { 'example.com': { ...records, TXT: ['v=spf1 -all'] } };
    expect(await stepsFor('from_domain_mx', zone)).toEqual([
      expect.stringMatching(/^ask: Does a server receive mail for example\.com\?/),
      'publish example.com: 0 .',
    ]);
    const { findings } = await reportOn({
      ...zone,
      '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] },
    });
    expect(findings.find(({ id }) => id === 'dmarc_rua')).toBeUndefined();
    expect(await stepsFor('dmarc_record', { ...zone, '_dmarc.example.com': null })).toEqual([
      expect.stringMatching(/^ask: Does a name under example\.com send mail\?/),
      'publish _dmarc.example.com: v=DMARC1; p=reject',
    ]);
  },
);

test('a domain without an SPF record may be one that sends nothing', async () => {
  const [step] = await stepsFor('spf_record', { 'example.com': { MX: ['0 .'] } });
  expect(step).toMatch(/publish this TXT record at example\.com: v=spf1 -all$/);
});

test('a DMARC record at a wrong name is moved', async () => {
  const wrong = { TXT: ['v=DMARC1; p=reject; rua=mailto:d@example.com'] };
  const zone = { '_dmarc.example.com': null, 'dmarc.example.com': wrong };
  expect(await stepsFor('dmarc_record', zone)).toEqual([
    'publish _dmarc.example.com: v=DMARC1; p=none; rua=mailto:d@example.com',
    'delete dmarc.example.com: null',
  ]);
});

test('a missing key may be a TXT record or an alias', async () => {
  const [step] = await stepsFor('dkim_valid', {}, 'example.com', ['s9']);
  expect(step).toContain('Publish it, as TXT or as an alias (CNAME), as the only record at s9.');
});

test('a record that is within the limit without its repetitions needs no other change', async () => {
  const names = Array.from({ length: 6 }, (_, i) => `p${i}.example.net`);
  const terms = names.map((name) => `include:${name}`).join(' ');
  const zone = {
    ...spf(`v=spf1 ip4:192.0.2.25 ${terms} ${terms} -all`),
    ...Object.fromEntries(names.map((name) => [name, { TXT: ['v=spf1 ip4:192.0.2.9 -all'] }])),
  };
  expect(await stepsFor('spf_lookup_limit', zone)).toEqual([
    `replace example.com: v=spf1 ip4:192.0.2.25 ${terms} -all`,
  ]);
});

test('a key that is published twice, in other strings, becomes one record', async () => {
  const TXT = [keyRecord, [keyRecord.slice(0, 99), keyRecord.slice(99)]];
  expect(await stepsFor('dkim_key_record', { [KEY]: { TXT } }, 'example.com', ['s1'])).toEqual([
    `replace ${KEY}: ${keyRecord}`,
  ]);
});
