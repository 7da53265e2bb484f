/** Tests the visits to mail hosts that find out which TLS they offer. */

import { createHash, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createVisits } from '../../../src/adapters/web/mail-hosts.ts';
import type { Tlsa } from '../../../src/analysis/receiving/facts.ts';
import type { VisitedHost } from '../../../src/ports/mail-host.ts';
import { createAuthority } from '../../support/mail/certificates.ts';
import { type Script, startMailHost } from '../../support/mail/mail-host.ts';

const HOST = 'mx.example.com';
const authority = createAuthority();
const stranger = createAuthority('Stranger');
const right = authority.sign(HOST);
const whole = { ...right, cert: right.cert + authority.cert };

let server: Awaited<ReturnType<typeof startMailHost>>;
beforeAll(async () => {
  server = await startMailHost();
});
afterAll(() => server.stop());

const visits = (change: { readonly ca?: string; readonly deadlineMs?: number } = {}) =>
  createVisits({
    helo: 'probe.example.net',
    override: { connect: '127.0.0.1', port: server.port, ca: change.ca ?? authority.cert },
    deadlineMs: change.deadlineMs ?? 10_000,
  });

const hostWith = (part: Partial<VisitedHost> = {}): VisitedHost => ({
  ...{ host: HOST, addresses: ['192.0.2.25'], names: [], tlsa: [] },
  ...part,
});

const see = (
  script: Script,
  part?: Partial<VisitedHost>,
  change?: Parameters<typeof visits>[0],
) => {
  server.play(script);
  return visits(change)(hostWith(part));
};

const shown = (
  version: string | null,
  fault: string | null = null,
  named: boolean | null = null,
) => ({
  status: 'known',
  value: { version, fault, named },
});
const silent = (reason: string) => ({ status: 'unknown', error: `starttls: ${HOST}: ${reason}` });

test('a correct host is asked for TLS and then left, and no email is begun', async () => {
  expect(await see({ tls: right })).toEqual(shown('TLSv1.3'));
  await server.left();
  expect(server.heard).toEqual(['open EHLO probe.example.net', 'open STARTTLS', 'tls QUIT']);
});

test.each<[string, Script, object, Parameters<typeof visits>[0]?]>([
  ['TLS 1.2', { tls: { ...right, maxVersion: 'TLSv1.2' } }, shown('TLSv1.2')],
  [
    'TLS 1.0 alone',
    { tls: { ...right, minVersion: 'TLSv1', maxVersion: 'TLSv1' } },
    shown('TLSv1'),
  ],
  [
    'a certificate for another name',
    { tls: authority.sign('web.example.com') },
    shown('TLSv1.3', 'is for other names'),
  ],
  [
    'one that has expired',
    { tls: authority.sign(HOST, ['2020-01-01', '2021-01-01']) },
    shown('TLSv1.3', 'has expired'),
  ],
  [
    'one of the future',
    { tls: authority.sign(HOST, ['2048-01-01', '2049-01-01']) },
    shown('TLSv1.3', 'is not valid yet'),
  ],
  [
    'one of nobody known',
    { tls: right },
    shown('TLSv1.3', 'is from an unknown authority, or its chain is incomplete'),
    { ca: stranger.cert },
  ],
  [
    'a whole chain of nobody known',
    { tls: whole },
    shown('TLSv1.3', 'is from an unknown authority'),
    { ca: stranger.cert },
  ],
  ['no STARTTLS', { ehlo: '250-mx\r\n250 STARTTLSX' }, shown(null, 'it does not offer STARTTLS')],
  ['an EHLO of one line', { ehlo: '250 STARTTLS' }, shown(null, 'it does not offer STARTTLS')],
  [
    'STARTTLS that is refused',
    { starttls: '502 5.5.1 No' },
    shown(null, 'it replies to STARTTLS with 502'),
  ],
  [
    'STARTTLS that is refused for a while',
    { starttls: '454 4.7.0 Later' },
    silent('it replies to STARTTLS with 454'),
  ],
  [
    'no TLS behind STARTTLS',
    {
      starttls: '220 Go',
      tls: { ...right, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'NULL@SECLEVEL=0' },
    },
    shown(null, 'STARTTLS does not lead to TLS'),
  ],
  [
    'a reply behind that to STARTTLS',
    { starttls: '220 Go\r\n250 STARTTLS', tls: right },
    silent('its reply is not SMTP'),
  ],
  ['two greetings', { greeting: '220 mx\r\n250 mx' }, silent('its reply is not SMTP')],
  ['a greeting that refuses us', { greeting: '554-Go\r\n554 away' }, silent('it replies with 554')],
  ['an EHLO that is refused', { ehlo: '550 No' }, silent('it replies to EHLO with 550')],
  [
    'another protocol',
    { greeting: 'SSH-2.0-OpenSSH\r\n' },
    silent('no answer in time'),
    { deadlineMs: 300 },
  ],
  ['silence', { greeting: null }, silent('no answer in time'), { deadlineMs: 300 }],
  ['silence in TLS', { starttls: '220 Go' }, silent('no answer in time'), { deadlineMs: 300 }],
  ['a flood of lines', { ehlo: '250-x\r\n'.repeat(5000) }, silent('its reply is too long')],
  ['a line without end', { greeting: '220 '.padEnd(20_000, 'x') }, silent('its reply is too long')],
])('%s', async (_, script, expected, change) => {
  expect(await see(script, {}, change)).toEqual(expected);
  await server.left();
  expect(server.heard.filter((line) => !/ (?:EHLO probe\S*|STARTTLS|QUIT)$/.test(line))).toEqual(
    [],
  );
});

const ownKey = new X509Certificate(right.cert).publicKey.export({ type: 'spki', format: 'der' });
const hash = (algorithm: string, bytes: Uint8Array) =>
  createHash(algorithm).update(bytes).digest('hex');
const raw = (pem: string) => new X509Certificate(pem).raw;
const tlsa = (usage: number, selector: number, matching: number, data: string): Tlsa => ({
  usage,
  selector,
  matching,
  data,
});
const expired = authority.sign(HOST, ['2020-01-01', '2021-01-01']);
const other = authority.sign('web.example.com');
const byAuthority = tlsa(2, 0, 1, hash('sha256', raw(authority.cert)));

test.each<[string, Script, readonly Tlsa[], boolean | null, string[]?]>([
  ['3 1 1 of its key', { tls: right }, [tlsa(3, 1, 1, hash('sha256', ownKey))], true],
  ['3 1 2 of its key', { tls: right }, [tlsa(3, 1, 2, hash('sha512', ownKey))], true],
  [
    '3 0 0 of its certificate',
    { tls: right },
    [tlsa(3, 0, 0, raw(right.cert).toString('hex'))],
    true,
  ],
  [
    '3 1 1, whatever the name and the dates say',
    { tls: expired },
    [tlsa(3, 1, 1, hash('sha256', ownKey))],
    true,
  ],
  ['3 1 1 of another key', { tls: right }, [tlsa(3, 1, 1, '0a'.repeat(32))], false],
  ['3 0 1 of its authority', { tls: whole }, [{ ...byAuthority, usage: 3 }], false],
  [
    'the next key beside its own',
    { tls: right },
    [tlsa(3, 1, 1, '0a'.repeat(32)), tlsa(3, 1, 1, hash('sha256', ownKey))],
    true,
  ],
  ['2 0 1 of the authority in its chain', { tls: whole }, [byAuthority], true],
  ['2 0 1 of an authority that it does not send', { tls: right }, [byAuthority], false],
  [
    '2 0 1 of its own certificate',
    { tls: whole },
    [tlsa(2, 0, 1, hash('sha256', raw(right.cert)))],
    false,
  ],
  [
    '2 0 1 above an expired certificate',
    { tls: { ...expired, cert: expired.cert + authority.cert } },
    [byAuthority],
    false,
  ],
  [
    '2 0 1 above one for another name',
    { tls: { ...other, cert: other.cert + authority.cert } },
    [byAuthority],
    false,
  ],
  [
    '2 0 1 above one for the domain itself',
    { tls: { ...other, cert: other.cert + authority.cert } },
    [byAuthority],
    true,
    ['web.example.com'],
  ],
  [
    'an authority that did not sign it',
    { tls: { ...right, cert: right.cert + stranger.cert } },
    [byAuthority],
    false,
  ],
  [
    'an authority whose key cannot be read',
    { tls: { ...right, cert: right.cert + authority.unreadable } },
    [{ ...byAuthority, selector: 1 }],
    null,
  ],
  ['no record', { tls: right }, [], null],
])('TLSA %s', async (_, script, records, named, names = []) => {
  expect(await see(script, { tlsa: records, names })).toMatchObject({ value: { named } });
});

test.each([
  ['this machine', ['127.0.0.1', '::1']],
  ['a network of its own', ['10.0.0.25', '192.168.0.25', 'fd00::25', '169.254.169.254']],
  ['an address that hides another', ['::ffff:10.0.0.25', '2002:a00:19::1']],
  ['none', []],
])('a host at %s is not contacted', async (_, addresses) => {
  expect(await see({ tls: right }, { addresses })).toEqual(silent('no public address'));
  expect(server.heard).toEqual([]);
});

test('many emails share one connection to a host, and an address gets few connections under other names', async () => {
  server.play({ tls: right });
  const visit = visits();
  const of = (host: string) => visit(hostWith({ host }));
  await Promise.all([of(HOST), of(HOST), of(HOST)]);
  await of(HOST);
  await Promise.all(['a.example.com', 'b.example.com'].map(of));
  await server.left();
  const connections = () => server.heard.filter((line) => line.includes('EHLO')).length;
  expect(connections()).toBe(3);
  expect(await of('c.example.com')).toMatchObject({ status: 'unknown' });
  expect(connections()).toBe(3);
});

test('a closed port says nothing about anybody', async () => {
  const gone = await startMailHost();
  await gone.stop();
  const override = { connect: '127.0.0.1', port: gone.port, ca: '' };
  const visit = createVisits({ helo: 'probe.example.net', override });
  expect(await visit(hostWith())).toEqual(silent('could not be reached'));
});
