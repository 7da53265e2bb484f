/** Cases of complete emails that a forwarder has sealed with ARC. */

import { sealMessage } from 'mailauth/lib/arc/index.js';
import { ARRIVAL, IP } from '../../../support/mail/inspection-environment.ts';
import type { Case } from '../case.ts';
import { keyRecord, keys } from '../keys.ts';
import { PTR } from '../zone.ts';

const privateKey = keys.rsa2048.key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Returns the email as a forwarder passes it on, whose own domain seals it. */
export const seal =
  (cv = 'none', authResults = 'mx.relay.example; spf=pass; dkim=pass; dmarc=pass') =>
  async (mail: string): Promise<string> => {
    const options = {
      signingDomain: 'relay.example',
      selector: 'a1',
      privateKey,
      cv,
      authResults,
      signTime: new Date(ARRIVAL),
    };
    return String(await sealMessage(mail, options as never)) + mail;
  };

/** The DNS zone with the key of the seal. */
export const sealZone = { 'a1._domainkey.relay.example': { TXT: [keyRecord] } };

/** The state of an email whose sealer writes long lines. */
const long = { line_length: 'long_headers' } as const;

const broken = (about: string, alter: Case['alter'], names: Case['zone'] = sealZone): Case => ({
  about,
  ...(alter && { alter }),
  ...(names && { zone: names }),
  states: { arc_chain: 'broken', ...long },
});

/** An email that the sender signed and a forwarder sealed, after adding a footer. */
const footer = (results: string) => async (mail: string) =>
  seal('none', results)(`${mail}\r\nScanned by relay.example.\r\n`);

const relay = {
  from: { localPart: 'srs', domain: 'relay.example', smtputf8: false },
  zone: {
    ...sealZone,
    'relay.example': { MX: ['10 mx.relay.example'], TXT: [`v=spf1 ip4:${IP} -all`] },
    'mx.relay.example': { A: [IP] },
    [PTR]: { PTR: ['mx.relay.example'] },
  },
  client: { helo: 'mx.relay.example' },
} as const;

export const arcCases: readonly Case[] = [
  broken('a chain that its sealer calls broken', async (mail) => seal('fail')(await seal()(mail))),
  broken('a chain that begins with the second set', async (mail) =>
    (await seal()(mail)).replaceAll('i=1', 'i=2'),
  ),
  broken('a chain without its seal', async (mail) =>
    (await seal()(mail)).replace('ARC-Seal:', 'X-Seal:'),
  ),
  broken('results changed below the seal', async (mail) =>
    (await seal()(mail)).replace('spf=pass', 'spf=fail'),
  ),
  broken('no key for the seal', seal(), {}),
  {
    about: 'a forwarder sealed that DKIM passed, and changed the body',
    ...relay,
    alter: footer('mx.relay.example; dkim=pass header.d=example.com; spf=pass; dmarc=pass'),
    states: {
      arc_chain: 'valid',
      dkim_valid: 'foreign_invalid',
      dmarc_alignment: 'unaligned',
      spf_helo: 'absent',
      ...long,
    },
  },
  {
    about: 'a forwarder sealed that DKIM passed for another domain, and changed the body',
    ...relay,
    alter: footer('mx.relay.example; dkim=pass header.d=other.example'),
    states: {
      arc_chain: 'valid',
      dkim_valid: 'none_valid',
      dmarc_alignment: 'refused',
      one_click_signed: 'unsigned',
      spf_helo: 'absent',
      ...long,
    },
  },
  {
    about: 'more than 50 sets',
    alter: (mail) =>
      Array.from({ length: 51 }, (_, i) => `ARC-Seal: i=${i + 1}; a=rsa-sha256; cv=pass; b=x\r\n`)
        .reverse()
        .join('') + mail,
    states: { arc_chain: 'broken' },
  },
];
