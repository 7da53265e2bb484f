import { type Attack, attackers, pause, sendHonestMails, undisturbedReport } from './attack.ts';
import type { Target } from './target.ts';

const FROM = 'MAIL FROM:<a@silent.example>';

/** A mail with ten signatures of keys that nobody asked for before. */
async function askAbout(target: Target, domain: string, ip: string, round: string): Promise<void> {
  const { address } = await target.create();
  const client = await target.attackFrom(ip);
  try {
    await client.sendAll(`MAIL FROM:<a@${domain}>`, `RCPT TO:<${address}>`, 'DATA');
    const signatures = Array.from(
      { length: 10 },
      (_, i) =>
        `DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=s${i}-${round}; h=from; bh=YQ==; b=YQ==\r\n`,
    );
    client.write(`${signatures.join('')}From: a@${domain}\r\n\r\nhello\r\n.\r\n`);
    await client.reply();
  } finally {
    client.vanish();
  }
}

/** Its servers answer nothing more, about any name of it. */
const silence = ({ dns }: Target, domain: string) =>
  dns.call('setFaults', { names: [domain, `*.${domain}`], fault: 'TIMEOUT' });

/** MAIL, RCPT, RSET again and again, on as many connections as it takes. */
export const cycles: Attack = {
  threshold: 'at most 50 DNS queries',
  async run(target) {
    const { address } = await target.create();
    const before = await target.dns.call('count');
    let done = 0;
    for (let connection = 0; connection < 100 && done < 1000; connection++) {
      const client = await target.attackFrom('198.51.100.7');
      let last = '';
      for (; done < 1000 && !last.startsWith('421'); done++) {
        last = await client.send(FROM).catch(() => '421');
        if (last.startsWith('250'))
          last = await client.sendAll(`RCPT TO:<${address}>`, 'RSET').catch(() => '421');
      }
      client.vanish();
    }
    const queries = (await target.dns.call('count')) - before;
    return { measured: `${queries} queries in ${done} cycles`, holds: queries <= 50 };
  },
};

/**
 * Mails about domains that do not answer, from so many networks, while honest ones come: half of them
 * about one domain, half about another one each time.
 */
const silentFrom = (networks: number): Attack => ({
  threshold: 'honest mails within 3 s: a report as ever, or 451; half of them a report',
  async run(target, seconds) {
    const expected = await undisturbedReport(target);
    await silence(target, 'silent.example');
    let round = 0;
    const attack = attackers(networks, async (attacker) => {
      round += 1;
      const domain = attacker % 2 === 0 ? 'silent.example' : `r${round}.silent${round}.example`;
      await silence(target, domain.split('.').slice(-2).join('.'));
      await askAbout(target, domain, `198.51.${100 + attacker}.7`, `${round}`);
    });
    const { codes, times, different } = await sendHonestMails(target, seconds, expected);
    await attack.stop();
    const taken = codes.filter((code) => code === 250).length;
    const slowest = Math.max(...times);
    return {
      measured: `${taken} of ${codes.length} taken, ${different} of them with another report, slowest ${Math.round(slowest)} ms, beside ${round} mails`,
      holds:
        codes.every((code) => code === 250 || code === 451) &&
        different === 0 &&
        taken >= codes.length / 2 &&
        slowest <= 3000,
    };
  },
});

export const silentDns = silentFrom(10);

/** More than a worker reads at once. */
export const manySilent = silentFrom(60);

/** New names under one domain that somebody else owns, from twenty networks. */
export const randomNames: Attack = {
  threshold: 'at most 2400 new queries a minute for the domain; honest mails as ever, or 451',
  async run(target, seconds) {
    const expected = await undisturbedReport(target);
    const before = await target.dns.call('count');
    const begin = performance.now();
    let round = 0;
    const attack = attackers(20, async (attacker) => {
      round += 1;
      await askAbout(target, `n${round}.victim.example`, `198.51.${attacker}.7`, `${round}`);
    });
    const { codes, different } = await sendHonestMails(target, seconds, expected);
    await attack.stop();
    const minutes = Math.ceil((performance.now() - begin) / 60_000) + 1;
    // A resolver in front has the answer to what is asked again.
    const queries = new Set(
      (await target.dns.call('queriesSince', before))
        .filter(({ name }) => name.endsWith('victim.example'))
        .map(({ name, type }) => `${type} ${name}`),
    ).size;
    const taken = codes.filter((code) => code === 250).length;
    return {
      measured: `${queries} new queries by ${round} mails; ${taken} of ${codes.length} taken, ${different} with another report`,
      holds:
        queries <= 2400 * minutes &&
        different === 0 &&
        codes.every((code) => code === 250 || code === 451),
    };
  },
};

/** Every DNS server is slow, those of honest senders too: nothing of that is short of ours. */
export const slowDns: Attack = {
  threshold: 'honest mails as ever, or 451',
  async run(target, seconds) {
    const expected = await undisturbedReport(target);
    await target.dns.call('setDelay', 300);
    await pause(50);
    const { codes, different } = await sendHonestMails(target, seconds, expected);
    await target.dns.call('setDelay', 0);
    const taken = codes.filter((code) => code === 250).length;
    return {
      measured: `${taken} of ${codes.length} taken, ${different} with another report`,
      holds: different === 0 && codes.every((code) => code === 250 || code === 451),
    };
  },
};
