/** Tests the fixes that `deliverability domain` prints for a zone, without an email or a name server. */

import { expect, test } from 'vitest';
import { domainReport } from '../../../src/client/domain/domain-report.ts';
import { dnsSources } from '../../../src/client/lint/dns-options.ts';
import type { Case } from '../../analysis/whole/case.ts';
import { ORIGIN, spf, zoneWith } from '../../analysis/whole/zone.ts';
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
