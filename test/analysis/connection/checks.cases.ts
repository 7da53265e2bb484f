/** Cases for each state of the checks on the sending server: reverse DNS, HELO name and TLS. */

import type { ConnectionFacts } from '../../../src/analysis/connection/facts.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import { known, unknown } from '../../../src/analysis/lookup-result.ts';
import type { Part } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

const connection = (part: Part<ConnectionFacts>): Part<Facts> => ({ connection: part });
const silent = unknown('dns: PTR 25.2.0.192.in-addr.arpa: SERVFAIL');
const helo = (name: string, addresses: string[] | null = null) =>
  connection({ helo: name, heloAddresses: known(addresses) });
const tls = (status: 'tls' | 'plaintext' | 'not_observable', version: string | null = null) =>
  connection({ tls: { status, version } });
const unconfirmed = connection({ forward: { value: { confirmed: false, confirmedNames: [] } } });

export const connectionCases: readonly Case[] = [
  ['rdns_ptr', 'pass 0'],
  ['rdns_ptr', 'fail 12', connection({ ptr: { value: [] } })],
  ['rdns_ptr', 'unknown', connection({ ptr: silent })],
  ...['10.1.2.3', '127.0.0.1', '::1', 'fe80::1'].flatMap((ip): readonly Case[] => [
    ['rdns_ptr', 'unknown', connection({ ip, ptr: { value: [] } })],
    [
      'helo_matches_ptr',
      'unknown',
      connection({ ip, heloAddresses: known([]) }),
      helo('x.example'),
    ],
  ]),

  ['rdns_fcrdns', 'pass 0'],
  ['rdns_fcrdns', 'fail 12', unconfirmed],
  ['rdns_fcrdns', 'unknown', connection({ forward: silent })],

  ['rdns_generic', 'pass 0'],
  ['rdns_generic', 'warn 8', connection({ ptr: { value: ['25.2.0.192.isp.example'] } })],
  ['rdns_generic', 'warn 8', connection({ ptr: { value: ['ppp7.dsl.isp.example'] } })],
  [
    'rdns_generic',
    'pass 0',
    connection({ ptr: { value: ['pool.isp.example', 'mail.example.com'] } }),
  ],

  ['rdns_multiple', 'pass 0'],
  ['rdns_multiple', 'info 0 suggest', connection({ ptr: { value: ['a.example', 'b.example'] } })],

  ['helo_valid', 'pass 0'],
  ['helo_valid', 'fail 5', helo('192.0.2.25')],
  ['helo_valid', 'fail 5', helo('localhost')],
  ['helo_valid', 'fail 5', helo('localhost.localdomain')],
  ['helo_valid', 'fail 5', helo('mailhost')],
  ['helo_valid', 'fail 5', helo('my_host.example.com', ['192.0.2.25'])],
  ['helo_valid', 'fail 5', helo('server.local', ['192.0.2.25'])],
  ['helo_valid', 'fail 5', helo('')],
  ['helo_valid', 'warn 2', helo('[192.0.2.25]')],
  ['helo_valid', 'warn 2', helo('[IPv6:2001:db8::1]')],
  ['helo_valid', 'warn 2', helo('mail.example.com', [])],
  ['helo_valid', 'unknown', connection({ helo: null })],
  ['helo_valid', 'unknown', connection({ heloAddresses: silent })],

  ['helo_matches_ptr', 'pass 0'],
  ['helo_matches_ptr', 'pass 0', helo('MAIL.example.com', [])],
  ['helo_matches_ptr', 'info 0', helo('other.example', ['192.0.2.25'])],
  ['helo_matches_ptr', 'pass 0', helo('other.example', ['192.0.2.25']), unconfirmed],
  ['helo_matches_ptr', 'pass 0', helo('smtp.example.com', ['192.0.2.25'])],
  [
    'helo_matches_ptr',
    'pass 0',
    helo('other.example', ['192.0.2.25']),
    connection({ forward: { value: { confirmedNames: ['192-0-2-25.isp.example'] } } }),
  ],
  [
    'helo_matches_ptr',
    'pass 0',
    helo('other.example', ['192.0.2.25']),
    connection({ forward: silent }),
  ],
  ['helo_matches_ptr', 'pass 0', helo('[192.0.2.25]')],
  ['helo_matches_ptr', 'warn 1', helo('[192.0.2.26]')],
  ['helo_matches_ptr', 'warn 1', helo('other.example', ['192.0.2.26'])],
  ['helo_matches_ptr', 'pass 0', connection({ heloAddresses: silent })],
  ['helo_matches_ptr', 'unknown', helo('other.example'), connection({ heloAddresses: silent })],
  ['helo_matches_ptr', 'unknown', helo('other.example', []), connection({ ptr: silent })],
  ['helo_matches_ptr', 'unknown', helo('other.example'), connection({ ip: null })],

  ['connection_tls', 'pass 0', tls('tls', 'TLSv1.2')],
  ['connection_tls', 'info 0', tls('not_observable')],
  ['connection_tls', 'warn 1', tls('tls', 'TLSv1.1')],
  ['connection_tls', 'warn 1', tls('tls', 'TLSv1')],
  ['connection_tls', 'fail 4', tls('plaintext')],
];
