/** Lists the DNS zones of the golden emails. */

import type { Zone } from '../../environment/dns-zone.ts';
import { rightZone } from '../../support/mail/inspection-environment.ts';
import { TEMPLATE_DOMAIN } from '../corpus/read-corpus.ts';

/** The key of RFC 8463 §A.2, which is the same in every run. */
const KEY = 'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';

const { 's1._domainkey.example.com': _, ...right } = rightZone;

const ofTemplates: Zone = {
  [TEMPLATE_DOMAIN]: { MX: [`10 mx.${TEMPLATE_DOMAIN}`], TXT: ['v=spf1 include:example.com ~all'] },
  [`mx.${TEMPLATE_DOMAIN}`]: { A: ['192.0.2.81'] },
  [`_dmarc.${TEMPLATE_DOMAIN}`]: { TXT: ['v=DMARC1; p=none; rua=mailto:d@reports.example'] },
  [`s._domainkey.${TEMPLATE_DOMAIN}`]: { TXT: [KEY] },
};

/** Zones of the senders of the golden emails: everything right, much wrong, nothing, no answer. */
export const zones: readonly [Zone, ...Zone[]] = [
  { ...right, ...ofTemplates, 's._domainkey.example.com': { TXT: [KEY] } },
  {
    ...right,
    ...ofTemplates,
    'example.com': {
      TXT: [
        'v=spf1 mx a:gone.example.com include:none.example.net ip4:192.0.2.300 +all',
        'v=spf1 -all',
      ],
    },
    [TEMPLATE_DOMAIN]: { TXT: ['v=spf1 a mx ptr exists:%{i}.x.example redirect=example.com'] },
    '_dmarc.example.com': { TXT: ['v=DMARC1; p=quarantin; pct=50; rua=dmarc@example.com'] },
    '25.2.0.192.in-addr.arpa': { PTR: ['host-192-0-2-25.pool.example.net'] },
    'default._bimi.example.com': { TXT: ['v=BIMI1; l=http://example.com/logo.png'] },
    '_mta-sts.example.com': { TXT: ['v=STSv1; id=1'] },
  },
  {},
  { 'example.com': 'SERVFAIL', '_dmarc.example.com': 'SERVFAIL', [TEMPLATE_DOMAIN]: 'SERVFAIL' },
];
