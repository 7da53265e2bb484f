/**
 * Tests the rules about host names, generic PTR names, dynamic lines, shared pools and equal
 * addresses, and how names are filled into texts.
 */

import { expect, test } from 'vitest';
import { isSameAddress } from '../../../src/analysis/addresses.ts';
import { fill } from '../../../src/analysis/advice/fill.ts';
import { isDynamicName, isGenericName } from '../../../src/analysis/names/generic-name.ts';
import { isHostName } from '../../../src/analysis/names/host-name.ts';
import { isSharedPool } from '../../../src/analysis/names/shared-pools.ts';

test.each([
  ['mail.example.com', false],
  ['mx1.mail.example.com', false],
  ['smtp-out-25.example.com', false],
  ['a48-25.smtp-out.example.com', false],
  ['dsl.example', false],
  ['mail.pool-company.example', false],
  ['192-0-2-25.isp.example', true],
  ['25.2.0.192.in.isp.example', true],
  ['ec2-192-0-2-25.compute-1.amazonaws.com', true],
  ['static.25.2.0.192.clients.example', true],
  ['192000002025.isp.example', true],
  ['c0000219.isp.example', true],
  ['pool12.isp.example', true],
  ['host.dyn.isp.example', true],
  ['adsl-7.isp.example', true],
  ['example.com', false],
  ['vps-1a2b3c4d.vps.ovh.net', true],
  ['vmi1234567.contaboserver.net', true],
  ['li1234-45.members.linode.com', true],
  ['203-0-113-9.ip.linodeusercontent.com', true],
  // Default names of hosting providers, seen in public email headers and setups.
  ['vps-103973c9.vps.ovh.net', true],
  ['vps512345.ovh.net', true],
  ['ns3012345.ip-192-0-2.eu', true],
  ['vmd134720.contaboserver.net', true],
  ['97-107-130-190.ip.linodeusercontent.com', true],
  ['static.130.235.21.65.clients.your-server.de', true],
  ['207.148.102.63.vultrusercontent.com', true],
  ['60-76-15-51.instances.scw.cloud', true],
  ['14490944-bced-4f7a-90d0-5469826d6d01.pub.instances.scw.cloud', true],
  ['51-15-1-2.rev.poneytelecom.eu', true],
  ['srv1354622.hstgr.cloud', true],
  ['h2896147.stratoserver.net', true],
  ['v2202501191704311155.ultrasrv.de', true],
  ['60.140.196.35.bc.googleusercontent.com', true],
  ['mail-out.your-server.de', false],
  ['mx1.ovh.net', false],
  ['vps.example.com', false],
  ['v2.example.com', false],
  ['vmail.example.com', false],
  ['vpn-gate.example.com', false],
  ['mail.contabo.com', false],
])('%s of 192.0.2.25 is generic: %s', (name, generic) => {
  expect(isGenericName(name, '192.0.2.25')).toBe(generic);
});

test.each([
  ['2001-db8-0-0-0-0-0-25.isp.example', true],
  ['2001-db8-0-0-0-0-0-26.isp.example', false],
  ['20010db8000000000000000000000025.isp.example', true],
  ['5.2.0.0.0.0.0.0.0.0.0.0.isp.example', true],
  ['mail.example.com', false],
])('%s of an IPv6 address is generic: %s', (name, generic) => {
  expect(isGenericName(name, '2001:db8::25')).toBe(generic);
});

test.each([
  ['25.2.0.192.dsl.isp.example', true],
  ['cpe-192-0-2-25.isp.example', true],
  ['static-192-0-2-25.dsl.isp.example', false],
  ['192-0-2-25.isp.example', false],
  ['ec2-192-0-2-25.compute.cloud.example', false],
  ['mail.pool.example', false],
])('%s belongs to a line whose address changes: %s', (name, dynamic) => {
  expect(isDynamicName(name)).toBe(dynamic);
});

test.each([
  ['o1.ptr1.sendgrid.net', true],
  ['SENDGRID.NET.', true],
  ['notsendgrid.net', false],
  ['sendgrid.net.example', false],
  ['st43p00im-zteg10071901.me.com', true],
  ['bumble.pear.relay.mailchannels.net', true],
])('%s belongs to a shared pool: %s', (name, pool) => {
  expect(isSharedPool(name)).toBe(pool);
});

test.each([
  ['192.0.2.1', '192.0.2.1', true],
  ['2001:db8::1', '2001:0DB8:0:0::1', true],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['mail.example.com', 'mail.example.com', false],
])('%s and %s are one address: %s', (one, two, same) => {
  expect(isSameAddress(one, two)).toBe(same);
});

test.each([
  ['mail.example.com', true],
  ['xn--bcher-kva.example', true],
  ['localhost', false],
  ['192.0.2.1', false],
  ['a_b.example.com', false],
  ['.example.com', false],
  ['[192.0.2.1]', false],
  ['-bad.example.com', false],
  ['bad-.example.com', false],
  ['mail.example-', false],
  ['a-b.example.com', true],
])('%s is a host name: %s', (name, is) => {
  expect(isHostName(name)).toBe(is);
});

test('placeholders are filled in once: braces in a record are kept', () => {
  expect(fill('Publish "{record}" for {ip}.', { record: 'exists:%{ip}.x', ip: '192.0.2.1' })).toBe(
    'Publish "exists:%{ip}.x" for 192.0.2.1.',
  );
});

test('a name without a value is reported as unknown, even an inherited one', () => {
  expect(fill('Ask {host} and {constructor}.', {})).toBe('Ask (not known) and (not known).');
});
