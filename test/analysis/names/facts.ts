/** Names and addresses of the perfect email in tests. */

import { known } from '../../../src/analysis/lookup-result.ts';
import type { Names } from '../../../src/analysis/names/facts.ts';

export const IP = '192.0.2.25';
export const DOMAIN = 'example.com';
export const HELO = 'mail.example.com';

export const names: Names = {
  fromDomain: DOMAIN,
  fromOrganizationalDomain: DOMAIN,
  nameServers: [],
  envelopeDomain: DOMAIN,
  nullSender: false,
  helo: HELO,
  ip: IP,
  fromDomainExists: known(true),
  fromMx: known({ mx: ['mx.example.com'], nullMx: false, hasAddress: true }),
  envelopeMx: known({ mx: ['mx.example.com'], nullMx: false, hasAddress: true }),
  mxHosts: {
    'mx.example.com': known({ addresses: ['192.0.2.26', '2001:db8::26'], alias: null }),
  },
};
