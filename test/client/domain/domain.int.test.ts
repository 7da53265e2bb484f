/** Tests `deliverability domain`, which judges a domain without an email. */

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checks } from '../../../src/analysis/checks.ts';
import { commandSchema } from '../../../src/client/formats/json-schema.ts';
import { checkDomain } from '../../../src/client/library.ts';
import type { DomainReport } from '../../../src/domain/report/domain-report.ts';
import { keyRecord } from '../../analysis/whole/keys.ts';
import { spf, zoneWith } from '../../analysis/whole/zone.ts';
import { type DnsServer, startDnsServer } from '../../environment/dns-server.ts';
import { playCommand } from '../../support/command/played-console.ts';

let dns: DnsServer;
beforeAll(async () => {
  dns = await startDnsServer({ zone: {} });
});
beforeEach(() => {
  dns.setFault('*', null);
  dns.setZone(zoneWith());
});
afterAll(() => dns.stop());

const play = (...args: readonly string[]) =>
  playCommand(['domain', 'example.com', `--resolver=${dns.address}`, ...args]);

async function look(...args: readonly string[]) {
  const { exitCode, stdout } = await play('--format=json', ...args);
  const report = JSON.parse(stdout) as DomainReport & { judgement: object };
  const stands = (id: string) => {
    const finding = report.findings.find((one) => one.id === id);
    return finding && (finding.checked === false ? 'unknown' : finding.severity);
  };
  return { exitCode, report, stands };
}

test('a domain is judged without an email, and checks that need one are named', async () => {
  const { exitCode, report, stands } = await look('--validates', '--selector=s1');
  expect(exitCode).toBe(0);
  const passing = [
    ...['spf_record', 'spf_lookup_limit', 'spf_all_qualifier', 'dmarc_policy', 'dmarc_rua'],
    ...['dkim_key_record', 'from_domain_mx', 'tls_rpt', 'bimi_record', 'dnssec'],
  ];
  expect(passing.map(stands)).toEqual(passing.map(() => 'pass'));
  expect(report).not.toHaveProperty('score');
  expect(JSON.stringify(report)).not.toMatch(/"(?:score|grade|lowest_score|points)":[^0]/);
  // Each check has a result, does not apply, or is reported to need an email.
  const needsMail = ['spf_result', 'dkim_valid', 'dmarc_alignment', 'helo_valid', 'from_header'];
  expect(report.needs_mail).toEqual(expect.arrayContaining(needsMail));
  const said = [...report.findings.map(({ id }) => id), ...report.needs_mail];
  expect(new Set(said).size).toBe(said.length);
  expect(said.length).toBeLessThanOrEqual(checks.length);
});

test('a selector may be given as the name of its record', async () => {
  const { report, stands } = await look('--selector=s1._domainkey.example.com', '--selector=S1');
  expect(stands('dkim_key_record')).toBe('pass');
  expect(JSON.stringify(report)).not.toContain('_domainkey._domainkey');
});

test.each([
  [null, 'dmarc_record', 'v=DMARC1; p=reject'],
  ['v=DMARC1; p=none', 'dmarc_policy', 'v=DMARC1; p=reject'],
  ['v=DMARC1; p=none; sp=none', 'dmarc_policy', 'v=DMARC1; p=reject; sp=none'],
])('a parked domain with the DMARC record %j needs p=reject', async (record, id, meant) => {
  dns.setZone(
    zoneWith({
      'example.com': { MX: ['0 .'], A: ['192.0.2.80'], TXT: ['v=spf1 -all'] },
      '_dmarc.example.com': record === null ? null : { TXT: [record] },
    }),
  );
  const { report } = await look();
  const steps = report.findings.find((one) => one.id === id)?.actions ?? [];
  expect(steps.map(({ kind }) => kind)).toEqual(['ask', 'dns']);
  expect(steps.at(-1)?.value).toBe(meant);
  expect(report.findings.find((one) => one.id === 'dmarc_rua')).toBeUndefined();
});

test('the policy of an organization is not raised for a parked name below it', async () => {
  dns.setZone(
    zoneWith({
      'old.example.com': { MX: ['0 .'], TXT: ['v=spf1 -all'] },
      '_dmarc.example.com': { TXT: ['v=DMARC1; p=none; rua=mailto:dmarc@example.com'] },
    }),
  );
  const { stdout } = await playCommand([
    ...['domain', 'old.example.com', '--format=json', `--resolver=${dns.address}`],
  ]);
  const { findings } = JSON.parse(stdout) as DomainReport;
  const steps = findings.find(({ id }) => id === 'dmarc_policy')?.actions ?? [];
  expect(steps.at(-1)?.value).toBe('v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com');
});

test.each([
  ['v=spf1 include:spf.example.com ~all', 'ip4:192.0.2.300 ~all', 'fail'],
  ['v=spf1 include:spf.example.com ~all', 'ip4:192.0.2.3 ~all', 'pass'],
  ['v=spf1 include:nothing.example.com ~all', '~all', 'fail'],
  ['v=spf1 include:%{i}.example.com ~all', '~all', 'pass'],
])('without an email, the SPF record %s with %s is %s', async (record, below, expected) => {
  dns.setZone(
    zoneWith({
      ...spf(record),
      'spf.example.com': { TXT: [`v=spf1 ${below}`] },
    }),
  );
  expect((await look()).stands('spf_syntax')).toBe(expected);
});

test('a mail host is contacted only if requested, and only at a public address', async () => {
  expect((await look()).stands('mx_starttls')).toBeUndefined();
  dns.setZone(zoneWith({ 'mail.example.com': { A: ['192.0.2.25'] } }));
  const { exitCode, report, stands } = await look('--starttls', '--require=mx_certificate');
  expect(exitCode).toBe(1);
  expect([stands('mx_starttls'), stands('mx_certificate')]).toEqual(['unknown', 'unknown']);
  expect(report.findings.find(({ id }) => id === 'mx_starttls')?.error).toEqual({
    code: 'starttls',
    asked: 'mail.example.com',
    reason: 'no public address',
  });
  // Without an MX, the address of the domain is used (RFC 5321 §5.1).
  dns.setZone(zoneWith({ 'example.com': { A: ['192.0.2.25'], MX: [] } }));
  const { report: alone } = await look('--starttls');
  expect(alone.findings.find(({ id }) => id === 'mx_starttls')?.error?.asked).toBe('example.com');
  const offline = checkDomain('example.com', { zone: 'example.com A 192.0.2.1', starttls: true });
  await expect(offline).rejects.toThrow('--starttls needs DNS');
});

test('the document matches its schema', async () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const schema = JSON.parse(readFileSync('docs/api/report-2.schema.json', 'utf8'));
  ajv.addSchema({ ...schema, $id: undefined }, 'report-2.schema.json');
  const isOutput = ajv.compile(commandSchema);
  isOutput((await look('--selector=s1')).report);
  expect(isOutput.errors).toBeNull();
});

test('the fix is the record to publish', async () => {
  dns.setZone(
    zoneWith({ '_dmarc.example.com': { TXT: ['v=DMARC1; p=none; rua=mailto:d@example.com'] } }),
  );
  const { exitCode, report } = await look('--fail-on=warn');
  expect(exitCode).toBe(1);
  const { actions = [] } = report.findings.find(({ id }) => id === 'dmarc_policy') ?? {};
  // No email showed how it is signed, so nothing is asked of the signer.
  expect(actions.map(({ kind }) => kind)).toEqual(['ask', 'dns']);
  expect(actions.at(-1)).toMatchObject({
    name: '_dmarc.example.com',
    value: 'v=DMARC1; p=quarantine; rua=mailto:d@example.com',
  });
});

test('without an email, nothing is said about its origin', async () => {
  dns.setZone(zoneWith({ 'example.com': { A: ['192.0.2.80'], MX: ['10 mail.example.com'] } }));
  const { report } = await look();
  expect(report.findings.find(({ id }) => id === 'spf_record')?.fix).toMatch(
    /^example\.com has no SPF record.*Find out which addresses your servers send from/,
  );
});

test('the worst of the selectors decides', async () => {
  dns.setZone(
    zoneWith({ 's2._domainkey.example.com': { TXT: [keyRecord.replace('k=rsa', 't=y; k=rsa')] } }),
  );
  const { stands, exitCode } = await look('--selector=s1', '--selector=s2', '--selector=s9');
  // The findings are about s2, and about s9, which has no key at all.
  expect([stands('dkim_key_testing'), stands('dkim_valid'), exitCode]).toEqual(['warn', 'fail', 1]);
  dns.setFault('s1._domainkey.example.com', 'SERVFAIL');
  const silent = await look('--selector=s1');
  expect([silent.stands('dkim_key_record'), silent.stands('dkim_valid')]).toEqual([
    'unknown',
    undefined,
  ]);
});

test('a fact that only an email can show passes no gate, and neither does an unknown one', async () => {
  const { stdout, exitCode } = await play('--require=dkim_valid,dnssec', '--format=junit');
  expect(exitCode).toBe(1);
  expect(stdout).toContain('dkim_valid must pass, and only an email can show it.');
  expect(stdout).toContain('the DNS server is not known to check signatures');
});

test.each(['view', 'github', 'markdown', 'sarif'])('%s has no score either', async (format) => {
  const { stdout } = await play(`--format=${format}`);
  expect(stdout).toContain('example.com');
  expect(stdout).not.toMatch(/of 100|"score"|grade/i);
});

test('with a zone file alone, nobody is asked', async () => {
  const before = dns.queries.length;
  const report = await checkDomain('example.com', {
    zone: 'example.com. TXT "v=spf1 +all"\n_dmarc.example.com. TXT "v=DMARC1; p=reject"',
  });
  expect(dns.queries.length).toBe(before);
  const severityOf = (id: string) => report.findings.find((one) => one.id === id)?.severity;
  expect([severityOf('spf_all_qualifier'), severityOf('dmarc_policy')]).toEqual(['fail', 'pass']);
  expect(report.findings.find(({ id }) => id === 'mta_sts')).toMatchObject({ checked: false });
});

test.each([
  [['localhost'], 'not a public domain name'],
  [['example.com', '--selector=a b'], '--selector'],
  [['example.com', '--min-score=90'], '--min-score'],
  [[], 'NAME'],
])('%j is a mistake in the command line', async (args, said) => {
  const { exitCode, stderr } = await playCommand(['domain', ...args, '--resolver=127.0.0.1:1']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(said);
});

test('a public suffix is judged, with a note that it may not be meant', async () => {
  const { stdout, stderr } = await playCommand(['domain', 'co.uk', `--resolver=${dns.address}`]);
  expect(stdout + stderr).toContain('co.uk is a public suffix');
  expect((await play()).stdout).not.toContain('public suffix');
});

test('a resolver that does not answer is not a fault of the domain', async () => {
  dns.setFault('*', 'SERVFAIL');
  expect((await play()).exitCode).toBe(5);
});
