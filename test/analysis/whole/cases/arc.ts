import { sealMessage } from 'mailauth/lib/arc/index.js';
import { ARRIVAL } from '../../../support/mail/inspection-environment.ts';
import type { Case } from '../case.ts';
import { keyRecord, keys } from '../keys.ts';

const privateKey = keys.rsa2048.key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The mail as a forwarder hands it on, whose own domain seals it. */
export const seal =
  (cv = 'none') =>
  async (mail: string): Promise<string> => {
    const options = {
      signingDomain: 'relay.example',
      selector: 'a1',
      privateKey,
      cv,
      authResults: 'mx.relay.example; spf=pass; dkim=pass; dmarc=pass',
      signTime: new Date(ARRIVAL),
    };
    return String(await sealMessage(mail, options as never)) + mail;
  };

/** The key of the seal. */
export const sealZone = { 'a1._domainkey.relay.example': { TXT: [keyRecord] } };

/** The sealer writes long lines. */
const long = { line_length: 'info 1' } as const;

const broken = (about: string, alter: Case['alter'], names: Case['zone'] = sealZone): Case => ({
  about,
  ...(alter && { alter }),
  ...(names && { zone: names }),
  states: { arc_chain: 'warn 0', ...long },
});

export const arcCases: readonly Case[] = [
  {
    about: 'a valid chain',
    alter: seal(),
    zone: sealZone,
    states: { arc_chain: 'pass 2', ...long },
  },
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
    about: 'more than 50 sets',
    alter: (mail) =>
      Array.from({ length: 51 }, (_, i) => `ARC-Seal: i=${i + 1}; a=rsa-sha256; cv=pass; b=x\r\n`)
        .reverse()
        .join('') + mail,
    states: { arc_chain: 'warn 0' },
  },
];
