/** Tests the advice that depends on whose server sent the email. */

import { describe, expect, test } from 'vitest';
import { whoseServer } from '../../../src/analysis/advice/whose-server.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import { known, unknown } from '../../../src/analysis/lookup-result.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import { facts, type Part, signed } from '../../support/mail/facts.ts';
import { tried } from '../../support/mail/spf-trials.ts';

const IP = '192.0.2.25';

const unsigned: Part<Facts> = { dkim: { value: { signatures: [], total: 0 } } };

/** A reverse name and a HELO name that both resolve to the address. */
const named = (name: string): Part<Facts> => ({
  connection: {
    helo: name,
    heloAddresses: known([IP]),
    ptr: known([name]),
    forward: known({ addresses: { [name]: [IP] }, confirmed: true, confirmedNames: [name] }),
  },
  names: { helo: name },
});

const nameless: Part<Facts> = {
  connection: {
    helo: 'localhost',
    heloAddresses: known(null),
    ptr: known([]),
    forward: known({ addresses: {}, confirmed: false, confirmedNames: [] }),
  },
  names: { helo: 'localhost' },
};

const claims = (helo: string): Part<Facts> => ({
  connection: { helo, heloAddresses: known([]) },
  names: { helo },
});

const sealedBy = (domain: string, result: 'pass' | 'fail' = 'pass'): Part<Facts> => ({
  arc: {
    value: {
      report: {
        result,
        sets: 1,
        chain: [
          {
            i: 1,
            domain,
            selector: 'a1',
            cv: 'none',
            result,
            reported: { spf: null, dkim: 'pass', dmarc: null },
          },
        ],
      },
      sealer: domain,
    },
  },
});

const to = (part: object): Part<Facts> => ({ headers: { value: { to: part } } });
const mx = (host: string): Part<Facts> => ({ names: { fromMx: { value: { mx: [host] } } } });
const other = named('mx.other.example');
const google = named('mail-sor-f41.google.com');

describe('the owner of a server', () => {
  test.each<[string, string, string | null, ...Part<Facts>[]]>([
    ['a name of the sender’s that leads to it', 'own', 'mail.example.com'],
    ['the same, for an email that is not signed', 'own', 'mail.example.com', unsigned],
    [
      'the HELO name alone leads to it',
      'own',
      'mail.example.com',
      { connection: { ptr: known([]) } },
      unsigned,
    ],
    ['no name, and the sender’s signature', 'own', null, nameless],
    ['no name, and no signature', 'unknown', null, nameless, unsigned],
    [
      'a name of the sender’s that is only claimed',
      'unknown',
      null,
      nameless,
      claims('mail.example.com'),
      unsigned,
    ],
    [
      'a reverse name that did not answer',
      'unknown',
      null,
      nameless,
      { connection: { ptr: unknown('dns') } },
    ],
    ['another organization’s name', 'foreign', 'mx.other.example', other, unsigned],
    ['the same beside the sender’s signature', 'foreign', 'mx.other.example', other],
    [
      'another organization’s HELO name, only claimed',
      'foreign',
      'mx.other.example',
      nameless,
      claims('mx.other.example'),
    ],
    [
      'who takes the domain’s mail',
      'hired',
      'mx.other.example',
      other,
      mx('in.other.example'),
      unsigned,
    ],
    [
      'who takes the domain’s mail, only claimed',
      'foreign',
      'in.other.example',
      nameless,
      claims('in.other.example'),
      mx('in.other.example'),
      unsigned,
    ],
    [
      'who holds the key',
      'hired',
      'mx.other.example',
      other,
      {
        dnsNames: {
          's1._domainkey.example.com': {
            alias: { target: 's1.dkim.other.example', end: 's1.dkim.other.example' },
          },
        },
      },
    ],
    ['a platform and the sender’s signature', 'hired', 'mail-sor-f41.google.com', google],
    ['a platform, and no signature', 'foreign', 'mail-sor-f41.google.com', google, unsigned],
    [
      'a platform that seals what it sends',
      'hired',
      'mail-sor-f41.google.com',
      google,
      sealedBy('google.com'),
    ],
    ['a seal of somebody else', 'forwarding', 'relay.example', other, sealedBy('relay.example')],
    [
      'a seal that does not verify',
      'foreign',
      'mx.other.example',
      other,
      sealedBy('relay.example', 'fail'),
    ],
    [
      'a seal of somebody else, from the sender’s own server',
      'own',
      'mail.example.com',
      sealedBy('relay.example'),
    ],
    [
      'Received for another domain',
      'forwarding',
      'mx.other.example',
      other,
      to({ sentElsewhere: true }),
    ],
    ['headers of a forwarder', 'forwarding', 'a forwarder', to({ forwarded: true })],
  ])('%s: %s', (_, whose, name, ...parts) => {
    expect(whoseServer(facts(...parts))).toMatchObject({ whose, name });
  });
});

const failing: Part<Facts> = {
  spf: { value: { report: { result: 'fail', record: 'v=spf1 mx -all', matched_term: '-all' } } },
};

async function spfActions(...parts: Part<Facts>[]) {
  const { findings } = makeReport(
    await tried(facts(...parts, failing)),
    '2026-11-20T12:00:02.000Z',
  );
  return findings.find(({ id }) => id === 'spf_result')?.actions;
}

test('a server of one’s own that is not listed gets its record', async () => {
  expect(await spfActions(unsigned)).toMatchObject([
    { kind: 'dns', operation: 'replace', value: `v=spf1 mx ip4:${IP} -all` },
  ]);
});

test.each([
  ['signed', other],
  ['unsigned', { ...other, ...unsigned }],
])(
  'a question is asked about another organization’s server, %s, and the record appears only in the text',
  async (_, part) => {
    const actions = (await spfActions(part)) ?? [];
    expect(actions).toMatchObject([{ kind: 'ask', operation: 'do' }]);
    expect(actions[0]?.value).toMatch(
      /Is 192\.0\.2\.25 \(mx\.other\.example\) one of your servers.* If not, change nothing.* If so: Replace the TXT record at example\.com with: v=spf1 mx ip4:192\.0\.2\.25 -all$/,
    );
  },
);

test('no address of a stranger gets one of the sender’s names', () => {
  const report = makeReport(
    facts(other, unsigned, {
      connection: {
        ptr: known(['gone.example.com']),
        forward: known({
          addresses: { 'gone.example.com': [] },
          confirmed: false,
          confirmedNames: [],
        }),
      },
    }),
    '2026-11-20T12:00:02.000Z',
  );
  const dns = report.findings.flatMap(({ actions = [] }) =>
    actions.filter(({ kind, type }) => kind === 'dns' && type !== 'PTR'),
  );
  expect(dns.filter(({ value }) => value?.includes(IP))).toEqual([]);
});

const policy = (p: 'none' | 'reject'): Part<Facts> => ({
  dmarc: {
    value: {
      tags: [['p', p]],
      published: [`v=DMARC1; p=${p}`],
      report: { policy: p, effective_policy: p },
    },
  },
});

test.each(['none', 'reject'] as const)(
  'if a verified forwarder changed an email with a passing signature, the signer is not blamed, p=%s',
  (p) => {
    const broken = { report: { result: 'fail' as const, reason: 'body_hash_mismatch' as const } };
    const report = makeReport(
      facts(
        other,
        sealedBy('relay.example'),
        { arc: { value: { passedBefore: ['example.com'] } } },
        { dkim: { value: { signatures: [signed(broken)] } } },
        { dmarc: { value: { spfAligned: false, dkimAligned: false } } },
        policy(p),
      ),
      '2026-11-20T12:00:02.000Z',
    );
    expect(report.findings.find(({ id }) => id === 'dkim_valid')?.severity).toBe('info');
    expect(JSON.stringify(report)).not.toContain('Make signing the last step');
    expect(report.score).toBe(59);
  },
);

test('a sender whose SPF fails because of a forwarder is not told to change the SPF record', () => {
  const report = makeReport(
    facts(
      other,
      sealedBy('relay.example'),
      { spf: { value: { report: { result: 'fail' } } } },
      { dmarc: { value: { spfAligned: false, dkimAligned: true } } },
    ),
    '2026-11-20T12:00:02.000Z',
  );
  const suggestion = report.suggestions.find(({ id }) => id === 'dmarc_alignment');
  expect(suggestion?.fix).toMatch(/came through relay\.example.* send the test email directly\.$/);
});
