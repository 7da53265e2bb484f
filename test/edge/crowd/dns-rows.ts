/** Lists the crowds that attack through the DNS. */

import { type Attacker, type Crowd, scaled } from './crowd.ts';

/** Sends an email with ten signatures by keys that nobody has looked up before. */
async function askAbout(attacker: Attacker, domain: string, ip: string): Promise<void> {
  const { address } = await attacker.create();
  const client = await attacker.from(ip);
  await client.sendAll(`MAIL FROM:<a@${domain}>`, `RCPT TO:<${address}>`, 'DATA');
  const signatures = Array.from(
    { length: 10 },
    (_, i) =>
      `DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=s${i}-${address.slice(0, 12)}; h=from; bh=YQ==; b=YQ==\r\n`,
  );
  client.write(`${signatures.join('')}From: a@${domain}\r\n\r\nhello\r\n.\r\n`);
  await client.reply();
  attacker.count('mails');
}

/** A name that nobody has looked up before. */
let names = 0;
const newName = (n: number) => `r${n}-${++names}`;

/**
 * Half of the emails are about one domain that does not answer, each of the others about a different name
 * below it.
 */
const silentFrom = (networks: number): Crowd => ({
  name: `emails about domains that do not answer, from ${networks} networks`,
  input: {
    connections: networks,
    silent: ['silent.example'],
    step: (attacker) => {
      const { n } = attacker;
      const domain = n % 2 === 0 ? 'silent.example' : `${newName(n)}.silent.example`;
      return askAbout(attacker, domain, `198.51.${100 + n}.7`);
    },
  },
  budget: { mailMs: 3000 },
  expected: { served: 0.5, orElse: 451, reportsAsEver: true },
});

export const dnsCrowds: readonly Crowd[] = [
  silentFrom(10),
  // This is more emails than a worker reads at once.
  silentFrom(scaled(60)),
  {
    name: 'new names below one domain that somebody else owns, from twenty networks',
    input: {
      connections: 20,
      step: (attacker) =>
        askAbout(attacker, `${newName(attacker.n)}.victim.example`, `198.51.${attacker.n}.7`),
    },
    budget: { queries: { under: 'victim.example', most: 2400, distinct: true } },
    expected: { served: 0.5, orElse: 451, reportsAsEver: true },
  },
  {
    name: 'every DNS server is slow, those of honest senders too',
    input: { connections: 0, delayMs: 300, step: async () => {} },
    expected: { served: 0.5, orElse: 451, reportsAsEver: true },
  },
];
