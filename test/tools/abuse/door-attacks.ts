import { connect, type Socket } from 'node:net';
import { type Attack, attackers, pause } from './attack.ts';
import type { Target } from './target.ts';

const FROM = 'MAIL FROM:<a@silent.example>';

/** Of those who have nothing to do with the attack, each served at the first try. */
const LEAST = 0.95;

/** An address in one of so many networks, each a provider's. */
const inNetwork = (attacker: number, networks: number): string =>
  attacker % 2 === 0
    ? `10.${attacker % networks}.${(attacker >> 8) & 7}.${attacker & 255}`
    : `2001:${(attacker % networks).toString(16)}:${attacker.toString(16)}::1`;

/** Honest mails of others, a few at once, each from another network and tried once. */
async function honestSenders(target: Target, seconds: number, text?: string) {
  const codes: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const next = pause(500);
    const tests = await Promise.all([target.create(), target.create()]);
    const sent = await Promise.all(
      tests.map(({ address }) => target.deliver(address, text === undefined ? {} : { text })),
    );
    codes.push(...sent.map(({ code }) => code));
    await next;
  }
  const taken = codes.filter((code) => code === 250).length;
  return { taken, tried: codes.length };
}

const servedOf = ({ taken, tried }: { taken: number; tried: number }) =>
  tried > 0 && taken >= tried * LEAST;

/** A minute after its end everybody is served. */
async function afterwards(target: Target): Promise<boolean> {
  const test = await target.create();
  return (await target.deliver(test.address)).code === 250;
}

interface Flood {
  readonly connections: number;
  readonly networks: number;
  /** What one connection does, until the attack is over or it is sent away. */
  step(client: Awaited<ReturnType<Target['attackFrom']>>, isOver: () => boolean): Promise<void>;
  /** Of the honest mails; by default small. */
  readonly text?: string;
}

/** Honest senders beside connections from many networks. */
async function underFlood(target: Target, seconds: number, flood: Flood) {
  const { connections, networks, step, text } = flood;
  let begun = 0;
  const attack = attackers(connections, async (attacker) => {
    const client = await target.attackFrom(inNetwork(attacker, networks));
    begun += 1;
    let isGone = false;
    void client.closed.then(() => {
      isGone = true;
    });
    try {
      await step(client, () => isGone || attack.isOver());
    } finally {
      client.vanish();
      await pause(100);
    }
  });
  await pause(3000);
  const honest = await honestSenders(target, seconds, text);
  await attack.stop();
  const after = await afterwards(target);
  return {
    measured: `${honest.taken} of ${honest.tried} honest mails taken beside ${begun} connections of ${networks} networks; after it ${after ? 'taken' : 'NOT taken'}`,
    holds: servedOf(honest) && after,
  };
}

const threshold = `at least ${LEAST * 100} % of honest mails of others taken at the first try`;

/** Data just above the slowest rate, on more connections than there may be. */
const steadyData = (networks: number): Attack => ({
  threshold,
  run: (target, seconds) =>
    underFlood(target, seconds, {
      connections: 600,
      networks,
      async step(client, isOver) {
        const { address } = await target.create();
        await client.sendAll(FROM, `RCPT TO:<${address}>`, 'DATA');
        while (!isOver()) {
          client.write(`${'a'.repeat(4094)}\r\n`);
          await pause(1000);
        }
      },
    }),
});

export const dataOfThree = steadyData(3);
export const dataOfMany = steadyData(64);

/** Mails that claim ten megabytes, and mails that send most of them and then stall. */
export const heldMemory: Attack = {
  threshold: `${threshold}, of 5 MB each`,
  run: (target, seconds) =>
    underFlood(target, seconds, {
      connections: 60,
      networks: 20,
      text: `${'five million bytes. '.repeat(50)}\n`.repeat(5000),
      async step(client, isOver) {
        const { address } = await target.create();
        await client.sendAll(`${FROM} SIZE=10485760`, `RCPT TO:<${address}>`, 'DATA');
        const line = `${'a'.repeat(994)}\r\n`.repeat(256);
        for (let sent = 0; sent < 30 && !isOver(); sent++) {
          client.write(line);
          await pause(20);
        }
        while (!isOver()) {
          client.write('a\r\n');
          await pause(1000);
        }
      },
    }),
};

/** Twenty transactions of one client at one test, of which the first would still send its mail. */
export const oneTest: Attack = {
  threshold: "two are open, and every other has heard why; the owner's own mail is taken",
  async run(target) {
    const { address } = await target.create();
    const replies: Promise<string>[] = [];
    const clients = [];
    for (let n = 0; n < 20; n++) {
      const client = await target.attackFrom('198.51.100.7');
      clients.push(client);
      await client.sendAll(FROM, `RCPT TO:<${address}>`, 'DATA').catch(() => '');
      replies.push(client.closed);
    }
    const { code } = await target.deliver(address);
    await pause(500);
    const told = await Promise.all(
      replies.map((reply) => Promise.race([reply, pause(100).then(() => '')])),
    );
    for (const client of clients) client.vanish();
    const heard = told.filter((reply) => /^4[25]1 /m.test(reply)).length;
    return {
      measured: `${heard} of 20 heard why, ${20 - heard} are open; the owner's mail ${code}`,
      holds: heard >= 18 && code === 250,
    };
  },
};

/** A tenant of a shared address, whose silent connections say NOOP; the honest ones have the same address. */
export const sharedAddress: Attack = {
  threshold: 'at least 95 % of honest mails from the same address taken',
  async run(target, seconds) {
    const ip = '198.51.100.9';
    const attack = attackers(600, async () => {
      const client = await target.attackFrom(ip);
      try {
        while (!attack.isOver()) {
          await client.send('NOOP');
          await pause(8000);
        }
      } finally {
        client.vanish();
      }
    });
    await pause(3000);
    let tried = 0;
    let taken = 0;
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      tried += 1;
      const { address } = await target.create();
      if ((await target.deliver(address, { ip })).code === 250) taken += 1;
      await pause(250);
    }
    await attack.stop();
    return { measured: `${taken} of ${tried} taken`, holds: servedOf({ taken, tried }) };
  },
};

/** Recipients that are no test's, from a whole /24, while a neighbour mistypes once. */
export const mistyped: Attack = {
  threshold: 'every neighbour that mistypes once hears 550, and its mail is taken',
  async run(target, seconds) {
    const unknown = 'RCPT TO:<zzzzzzzzzzzz@in.example.net>';
    const attack = attackers(60, async (attacker) => {
      const client = await target.attackFrom(`198.51.100.${attacker}`);
      await client.send(FROM);
      while (!attack.isOver() && (await client.send(unknown)).startsWith('550'));
      client.vanish();
    });
    await pause(Math.max(5, seconds) * 1000);
    const replies: string[] = [];
    for (let host = 200; host < 220; host++) {
      const { address } = await target.create();
      const client = await target.attackFrom(`198.51.100.${host}`);
      await client.send(FROM);
      replies.push(await client.send(unknown), await client.send(`RCPT TO:<${address}>`));
      client.vanish();
    }
    await attack.stop();
    const right = replies.filter((reply, n) => reply.startsWith(n % 2 ? '250' : '550')).length;
    return { measured: `${right} of 40 replies as ever`, holds: right === 40 };
  },
};

/** Tests without end from one IPv6 /44, from 34 addresses, or from 64 networks. */
const creations = (from: (n: number) => string): Attack => ({
  threshold: 'at least 95 % of other visitors create a test at the first try',
  kind: 'tight',
  async run(target, seconds) {
    let tried = 0;
    let created = 0;
    const attack = attackers(20, async () => {
      tried += 1;
      const { status } = await target.post({ 'x-forwarded-for': from(tried) });
      if (status === 201) created += 1;
    });
    await pause(10_000);
    const codes: number[] = [];
    const end = performance.now() + seconds * 1000;
    for (let n = 0; performance.now() < end; n++) {
      codes.push((await target.post({ 'x-forwarded-for': `172.${n % 250}.0.1` })).status);
      await pause(500);
    }
    await attack.stop();
    const taken = codes.filter((code) => code === 201).length;
    return {
      measured: `${taken} of ${codes.length} others created theirs, beside ${created} of ${tried}`,
      holds: servedOf({ taken, tried: codes.length }),
    };
  },
});

export const creationOfOne = creations(
  (n) => `2001:db8:${(n & 15).toString(16)}:${(n & 0xffff).toString(16)}::1`,
);
export const creationOfMany = creations((n) => `10.${n % 64}.0.${(n >> 6) & 63}`);
export const creationOf34 = creations((n) => `10.${n % 34}.0.1`);

/** More silent connections to the API than the process may have files open. */
export const silentHttp: Attack = {
  threshold: 'honest mails and calls are served',
  kind: 'tight',
  async run(target, seconds) {
    const port = Number(new URL(target.http).port);
    const open = new Set<Socket>();
    const attack = attackers(2500, async () => {
      const socket = connect(port, '127.0.0.1');
      open.add(socket);
      await new Promise<void>((resolve) => {
        socket.on('error', () => {}).once('close', () => resolve());
        if (attack.isOver()) socket.destroy();
      });
      open.delete(socket);
      await pause(5000);
    });
    await pause(5000);
    const honest = await honestSenders(target, seconds).catch(() => ({ taken: 0, tried: 1 }));
    const stopping = attack.stop();
    for (const socket of open) socket.destroy();
    await stopping;
    return {
      measured: `${honest.taken} of ${honest.tried} honest mails taken, their tests created`,
      holds: servedOf(honest),
    };
  },
};

/** A proxy that writes the port of each connection: one client all the same. */
export const portsOfProxy: Attack = {
  threshold: 'the limit of 30 a client holds, whatever port its connections have',
  async run(target) {
    const codes = await Promise.all(
      Array.from({ length: 80 }, (_, n) =>
        target.post({
          'x-forwarded-for': n % 2 ? `198.51.100.44:${40_000 + n}` : `[2001:db8:44::1]:${n}`,
        }),
      ),
    );
    const created = codes.filter(({ status }) => status === 201).length;
    return { measured: `${created} of 80 created by two clients`, holds: created === 60 };
  },
};
