/** Lists the crowds that attack by SMTP. */

import { SENDER } from '../../environment/sender.ts';
import { type Crowd, drip, inNetwork, pause, scaled } from './crowd.ts';

const FROM = 'MAIL FROM:<a@silent.example>';
const UNKNOWN = 'RCPT TO:<zzzzzzzzzzzz@in.example.net>';

/** Sends data just above the slowest allowed rate, on more connections than are allowed. */
const steadyData = (networks: number): Crowd => ({
  name: `data that only trickles, from ${networks} networks`,
  input: {
    connections: scaled(600),
    leadMs: 3000,
    async step(attacker) {
      const { address } = await attacker.create();
      const client = await attacker.from(inNetwork(attacker.n, networks));
      await client.sendAll(FROM, `RCPT TO:<${address}>`, 'DATA');
      await drip(attacker, client, 1000, () => client.write(`${'a'.repeat(4094)}\r\n`));
    },
  },
  expected: { served: 0.95 },
});

export const smtpCrowds: readonly Crowd[] = [
  {
    name: 'transactions that are begun and never sent, from ten addresses and one IPv6 /64',
    input: {
      connections: scaled(200),
      leadMs: 1000,
      async step(attacker) {
        const { n } = attacker;
        const { address } = await attacker.create();
        const client = await attacker.from(
          n % 2 === 0 ? `198.51.${100 + (n % 20)}.7` : `2001:db8::${n.toString(16)}`,
        );
        await client.sendAll(FROM, `RCPT TO:<${address}>`);
        await drip(attacker, client, 500, () => client.send('NOOP'));
      },
    },
    expected: { served: 0.99 },
  },
  {
    name: 'commands and emails a byte at a time',
    input: {
      connections: scaled(150),
      leadMs: 1000,
      async step(attacker) {
        const client = await attacker.from(`198.51.${attacker.n}.7`);
        if (attacker.n % 2 === 0) {
          const { address } = await attacker.create();
          await client.sendAll(FROM, `RCPT TO:<${address}>`, 'DATA');
        }
        await drip(attacker, client, 250, () => client.write('a'));
      },
    },
    expected: { served: 0.99, reportsAsEver: true },
  },
  {
    name: 'MAIL, RCPT, RSET again and again, on as many connections as it takes',
    input: {
      connections: 1,
      async step(attacker) {
        const { address } = await attacker.create();
        const client = await attacker.from('198.51.100.7');
        for (
          let last = '';
          !last.startsWith('421') && !attacker.isOver();
          attacker.count('cycles')
        ) {
          last = await client.send(FROM);
          if (last.startsWith('250')) last = await client.sendAll(`RCPT TO:<${address}>`, 'RSET');
        }
      },
    },
    budget: { queries: { under: 'silent.example', most: 50 } },
    expected: { served: 0.99, counts: { cycles: [20, Number.POSITIVE_INFINITY] } },
  },
  {
    name: 'recipients that are no test, one after the other',
    input: {
      connections: 1,
      async step(attacker) {
        const client = await attacker.from('198.51.100.9');
        await client.send(FROM);
        let tried = 0;
        while (!attacker.isOver() && (await client.send(UNKNOWN)).startsWith('550')) {
          tried += 1;
          attacker.count('tried');
        }
        attacker.count('over 20 on a connection', Number(tried > 20));
      },
    },
    expected: {
      served: 0.99,
      counts: { 'over 20 on a connection': [0, 0], tried: [3, Number.POSITIVE_INFINITY] },
    },
  },
  {
    name: 'recipients that are no test, from a whole /24, while neighbours mistype once',
    input: {
      connections: 80,
      async step(attacker) {
        const { n } = attacker;
        const client = await attacker.from(`198.51.100.${n}`);
        await client.send(FROM);
        if (n < 60) {
          while (!attacker.isOver() && (await client.send(UNKNOWN)).startsWith('550'));
          return;
        }
        await attacker.rest(1500);
        const { address } = await attacker.create();
        const mistyped = await client.send(UNKNOWN);
        const right = await client.send(`RCPT TO:<${address}>`);
        const asEver = mistyped.startsWith('550') && right.startsWith('250');
        attacker.count(asEver ? 'answered as ever' : 'answered otherwise');
        await attacker.rest();
      },
    },
    expected: {
      served: 0.95,
      counts: { 'answered as ever': [20, 20], 'answered otherwise': [0, 0] },
    },
  },
  steadyData(3),
  steadyData(64),
  {
    name: 'claims of ten megabytes by clients that are then silent, or send most of them and stall',
    input: {
      connections: 60,
      leadMs: 3000,
      async step(attacker) {
        const { address } = await attacker.create();
        // If memory were granted for a mere claim, the silent clients of two networks alone would keep
        // everyone else out.
        const isSilent = attacker.n < 30;
        const client = await attacker.from(inNetwork(attacker.n, isSilent ? 2 : 20));
        await client.sendAll(`${FROM} SIZE=10485760`, `RCPT TO:<${address}>`);
        if (isSilent) return drip(attacker, client, 8000, () => client.send('NOOP'));
        await client.send('DATA');
        const line = `${'a'.repeat(994)}\r\n`.repeat(256);
        for (let sent = 0; sent < 30 && !attacker.isOver(); sent++) {
          client.write(line);
          await pause(20);
        }
        await drip(attacker, client, 1000, () => client.write('a\r\n'));
      },
    },
    text: `${'five million bytes. '.repeat(50)}\n`.repeat(scaled(5000)),
    expected: { served: 0.95 },
  },
  {
    name: 'twenty transactions of one client for one test, while its owner sends the email',
    input: {
      connections: 1,
      async step(attacker) {
        const { address } = await attacker.create();
        const clients = [];
        for (let n = 0; n < 20; n++) {
          const client = await attacker.from('198.51.100.7');
          clients.push(client);
          await client.sendAll(FROM, `RCPT TO:<${address}>`, 'DATA').catch(() => '');
        }
        for (const { closed } of clients)
          void closed.then((text) =>
            attacker.count('were told why', Number(/^4[25]1 /m.test(text))),
          );
        await attacker.rest();
      },
    },
    expected: { served: 0.95, counts: { 'were told why': [18, 20] } },
  },
  {
    name: 'silent connections that say NOOP, from the address of honest ones',
    input: {
      connections: scaled(600),
      leadMs: 3000,
      async step(attacker) {
        const client = await attacker.from(SENDER.ip);
        await client.send(FROM);
        await drip(attacker, client, 8000, () => client.send('NOOP'));
      },
    },
    expected: { served: 0.95 },
  },
  {
    name: 'commands without end, whose replies half of the clients never read',
    input: {
      connections: 20,
      async step(attacker) {
        const client = await attacker.from('198.51.100.66');
        const lines = 'NOOP\r\n'.repeat(10_000);
        await drip(attacker, client, attacker.n % 2 === 0 ? 10 : 50, () => client.write(lines));
      },
    },
    budget: { p99Ms: 250, mib: 300 },
    expected: { served: 1 },
  },
];
