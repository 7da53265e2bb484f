/** Tests `deliverability lint` with the user's DNS resolver. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { zoneWith } from '../../analysis/whole/zone.ts';
import { type DnsServer, startDnsServer } from '../../environment/dns-server.ts';
import { lintWith, zone } from './lint-environment.ts';

let dns: DnsServer;
beforeAll(async () => {
  dns = await startDnsServer({ zone: {} });
});
beforeEach(() => {
  dns.setFault('*', null);
  dns.setZone(zoneWith());
});
afterAll(() => dns.stop());

const lint = (args: readonly string[] = [], zoneFile: string | null = null) =>
  lintWith({ dns: zoneFile, args: [`--resolver=${dns.address}`, ...args] });

const flat = (stdout: string) => stdout.replace(/\s+/g, ' ');

test('the records come from the resolver, even for blocklists; files are not fetched', async () => {
  const { exitCode, stdout, report, stands } = await lint(['--min-score=95', '--fail-on=fail']);
  expect([exitCode, report.score]).toEqual([0, 100]);
  expect(['dmarc_alignment', 'spf_result', 'rdns_fcrdns', 'spamcop_listed'].map(stands)).toEqual(
    Array(4).fill('pass'),
  );
  expect(['mta_sts', 'bimi_logo', 'bimi_certificate'].map(stands)).toEqual(
    Array(3).fill('unknown'),
  );
  expect(report.score_breakdown?.unknown?.findings).toEqual([]);
  expect(flat(stdout)).toContain('Never checked here: DNSSEC and DANE, MTA-STS and BIMI files,');
});

test('a record that the resolver calls absent counts as absent', async () => {
  dns.setZone(zoneWith({ '_dmarc.example.com': null }));
  const { exitCode, stands } = await lint();
  expect([stands('dmarc_record'), exitCode]).toEqual(['fail', 1]);
});

test('a record about which the resolver does not answer is unknown', async () => {
  dns.setFault('_dmarc.example.com', 'SERVFAIL');
  const { exitCode, stands } = await lint(['--min-score=95']);
  expect([stands('dmarc_record'), exitCode]).toEqual(['unknown', 1]);
});

test('a zone file takes precedence: it shows the state before publication', async () => {
  const dmarc = '_dmarc.example.com. TXT "v=DMARC1; p=none; rua=mailto:dmarc@example.com"';
  const { stands } = await lint([], zone({ dmarc, mx: null, ptr: null }));
  expect(['dmarc_policy', 'from_domain_mx', 'rdns_ptr'].map(stands)).toEqual([
    'warn',
    'pass',
    'pass',
  ]);
  const asked = dns.queries.map(({ name, type }) => `${type} ${name}`);
  expect(asked).not.toContain('TXT _dmarc.example.net');
});

test('an alias in the file leads to the resolver', async () => {
  dns.setZone(zoneWith({ 's1.provider.example': { TXT: ['v=DKIM1; p='] } }));
  const key = 's1._domainkey.example.com. CNAME s1.provider.example.';
  const { report, stands } = await lint([], zone({ key }));
  expect(stands('dkim_valid')).toBe('fail');
  expect(report.authentication.dkim[0]?.key?.cname).toEqual(['s1.provider.example']);
});

test('a resolver that does not answer at all is named, and nothing is judged', async () => {
  dns.setFault('*', 'REFUSED');
  const { exitCode, stdout } = await lint();
  expect(exitCode).toBe(5);
  expect(flat(stdout)).toContain(`The --resolver DNS server ${dns.address} did not answer.`);
  expect((await lint(['--soft'])).exitCode).toBe(0);
});
