/**
 * Runs the example message of RFC 8463, signed with Ed25519 and RSA, and altered copies of it, as a suite.
 */

import type { Zone } from '../../environment/dns-zone.ts';
import { differs, type Suite } from './suite.ts';
import { toCrlf, verifyRaw } from './verify-raw.ts';
import { askZone } from './zone-resolver.ts';

/** The key of RFC 8463 §A.2. */
const ED25519 = 'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';
const RSA =
  'v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB';

const zone: Zone = {
  'brisbane._domainkey.football.example.com': { TXT: [ED25519] },
  'test._domainkey.football.example.com': { TXT: [RSA] },
};

/** The message of RFC 8463 §A.3. */
const mail = toCrlf(`DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=brisbane; t=1528637909; h=from : to :
 subject : date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus
 Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=test; t=1528637909; h=from : to : subject :
 date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3
 DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz
 dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=
From: Joe SixPack <joe@football.example.com>
To: Suzie Q <suzie@shopping.example.net>
Subject: Is dinner ready?
Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
Message-ID: <20030712040037.46341.5F8J@football.example.com>

Hi.

We lost the game.  Are you hungry yet?

Joe.
`);

const results = async (raw: string): Promise<string> => {
  const { signatures } = await verifyRaw(raw, askZone(zone));
  return signatures.map(({ result, reason }) => reason ?? result).join(', ');
};

export const rfc8463Suite: Suite = {
  name: 'DKIM with Ed25519, RFC 8463 §A',
  cases: [
    { name: 'as printed', run: async () => differs(await results(mail), ['pass, pass']) },
    {
      name: 'another body',
      run: async () =>
        differs(await results(mail.replace('lost', 'won')), [
          'body_hash_mismatch, body_hash_mismatch',
        ]),
    },
    {
      name: 'another subject',
      run: async () =>
        differs(await results(mail.replace('dinner', 'lunch')), ['bad_signature, bad_signature']),
    },
  ],
  excepted: {},
};
