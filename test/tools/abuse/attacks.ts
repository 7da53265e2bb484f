import { type Attack, repeat } from './attack.ts';
import { deletions, waiters } from './http-attacks.ts';

const FROM = 'MAIL FROM:<a@silent.example>';

/** MAIL, RCPT, RSET again and again, on as many connections as it takes. */
const cycles: Attack = {
  threshold: 'at most 50 DNS queries',
  async run(target) {
    const { address } = await target.create();
    const before = target.dns?.queries.length ?? 0;
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
    const queries = (target.dns?.queries.length ?? 0) - before;
    return { measured: `${queries} queries in ${done} cycles`, holds: queries <= 50 };
  },
};

/** Mails about a domain that does not answer, from ten networks, while honest ones come. */
const silentDns: Attack = {
  threshold: 'honest mails: 250 or 451 within 3 s, half of them 250',
  async run(target, seconds) {
    const isOver = { value: false };
    const names = ['silent.example', '_dmarc.silent.example', '_spf.silent.example'];
    for (const name of names) target.dns?.setFault(name, 'TIMEOUT');
    const attack = async (network: number) => {
      while (!isOver.value) {
        const { address } = await target.create();
        const client = await target.attackFrom(`198.51.${network}.7`);
        await client.sendAll(FROM, `RCPT TO:<${address}>`, 'DATA').catch(() => undefined);
        const selectors = Array.from({ length: 10 }, (_, i) => `s${i}-${Math.random()}`);
        for (const selector of selectors)
          target.dns?.setFault(`${selector}._domainkey.silent.example`, 'TIMEOUT');
        const signatures = selectors.map(
          (selector) =>
            `DKIM-Signature: v=1; a=rsa-sha256; d=silent.example; s=${selector}; h=from; bh=YQ==; b=YQ==\r\n`,
        );
        client.write(`${signatures.join('')}From: a@silent.example\r\n\r\nhello\r\n.\r\n`);
        await client.reply().catch(() => undefined);
        client.vanish();
      }
    };
    const attackers = Array.from({ length: 10 }, (_, i) => attack(100 + i));
    const codes: number[] = [];
    let slowest = 0;
    await repeat(seconds, async () => {
      const { code, milliseconds } = await target.deliver((await target.create()).address);
      codes.push(code);
      slowest = Math.max(slowest, milliseconds);
    });
    isOver.value = true;
    await Promise.all(attackers);
    const taken = codes.filter((code) => code === 250).length;
    const known = codes.every((code) => code === 250 || code === 451);
    return {
      measured: `${taken} of ${codes.length} taken, slowest ${Math.round(slowest)} ms`,
      holds: known && taken >= codes.length / 2 && slowest <= 3000,
    };
  },
};

/** Connections that begin a mail and never send it, from ten addresses and from one IPv6 /64. */
const holders: Attack = {
  threshold: 'at least 99 % of honest mails taken at the first try',
  async run(target, seconds) {
    const { address } = await target.create();
    const isOver = { value: false };
    const hold = async (ip: string) => {
      while (!isOver.value) {
        try {
          const client = await target.attackFrom(ip);
          await client.sendAll(FROM, `RCPT TO:<${address}>`);
          while (!isOver.value) {
            await client.send('NOOP');
            await new Promise((resolve) => setTimeout(resolve, 500));
          }
          client.vanish();
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      }
    };
    const addresses = Array.from({ length: 200 }, (_, i) =>
      i % 2 === 0 ? `198.51.${100 + (i % 20)}.7` : `2001:db8::${i.toString(16)}`,
    );
    const holding = addresses.map(hold);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    let tried = 0;
    let taken = 0;
    await repeat(seconds, async () => {
      const { code } = await target.deliver((await target.create()).address);
      tried += 1;
      if (code === 250) taken += 1;
    });
    isOver.value = true;
    await Promise.all(holding);
    return { measured: `${taken} of ${tried} taken`, holds: taken >= tried * 0.99 };
  },
};

/** One recipient after the other that is no test's. */
const unknownRecipients: Attack = {
  threshold: 'at most 20 a connection',
  async run(target) {
    const client = await target.attackFrom('198.51.100.9');
    await client.send(FROM);
    let tried = 0;
    let last = '550';
    for (; last.startsWith('550') && tried < 100; tried++)
      last = await client.send(`RCPT TO:<zzzzzzzzzz${tried + 22}@in.example.net>`).catch(() => '');
    client.vanish();
    return { measured: `cut after ${tried}`, holds: tried <= 20 };
  },
};

/** Mails of 8 MiB from one client, while small ones come from another. */
const largeMails: Attack = {
  threshold: 'small mails: no 451, p99 at most 3 s',
  async run(target, seconds) {
    const isOver = { value: false };
    const padding = 'a'.repeat(76).concat('\n').repeat(110_000);
    const attack = async () => {
      while (!isOver.value) await target.deliver((await target.create()).address, padding);
    };
    const attackers = [attack(), attack()];
    const codes: number[] = [];
    const times: number[] = [];
    await repeat(seconds, async () => {
      const { code, milliseconds } = await target.deliver((await target.create()).address);
      codes.push(code);
      times.push(milliseconds);
    });
    isOver.value = true;
    await Promise.all(attackers);
    const p99 = times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0;
    const refused = codes.filter((code) => code !== 250).length;
    return {
      measured: `${refused} of ${codes.length} not taken, p99 ${Math.round(p99)} ms`,
      holds: refused === 0 && p99 <= 3000,
    };
  },
};

/** Tests without end, none of which is used. The last attack: afterwards none can be created. */
const creation: Attack = {
  threshold: '503 with Retry-After; tests created before still become ready',
  async run(target) {
    const early = await Promise.all(Array.from({ length: 10 }, target.create));
    let created = 0;
    let answer = await target.post();
    for (; answer.status === 201 && created < 100_000; created++) answer = await target.post();
    const retryAfter = Number(answer.headers.get('retry-after'));
    for (const { address } of early) await target.deliver(address);
    const states = await Promise.all(early.map(target.status));
    const ready = states.filter((status) => status === 'ready').length;
    return {
      measured: `${answer.status} after ${created} tests, Retry-After ${retryAfter} s, ${ready} of 10 ready`,
      holds: answer.status === 503 && retryAfter > 0 && ready === 10,
    };
  },
};

/** In the order in which they run. */
export const attacks = {
  cycles,
  unknownRecipients,
  holders,
  silentDns,
  largeMails,
  waiters,
  deletions,
  creation,
};

export type AttackName = keyof typeof attacks;
