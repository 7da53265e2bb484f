import { connect } from 'node:net';
import { type Attack, attackers, pause, quantile, sendHonestMails } from './attack.ts';
import { startProbe } from './probe.ts';
import type { CreatedTest, Target } from './target.ts';

/** Wrong tokens that a client may try at one test in a minute. */
const WRONG_TOKENS = 10;

const statusUrl = ({ http }: Target, { test_id }: CreatedTest) =>
  `${http}/v1/tests/${test_id}/status`;

/** Requests that wait without end, from one client and from its neighbours. */
export const waiters: Attack = {
  threshold: 'an honest one waits and is answered',
  async run(target) {
    const victim = await target.create();
    const stop = new AbortController();
    let answered = 0;
    const wait = (from: string, signal: AbortSignal, test: CreatedTest) =>
      fetch(statusUrl(target, test), {
        headers: { prefer: 'wait=30', 'x-forwarded-for': from },
        signal,
      });
    const attack = Array.from({ length: 600 }, (_, index) =>
      wait(`198.51.100.${index < 300 ? 7 : index % 250}`, stop.signal, victim).then(
        () => (answered += 1),
        () => undefined,
      ),
    );
    // Those that are not held are answered at once.
    for (let before = -1; before !== answered; ) {
      before = answered;
      await pause(3000);
    }
    const held = 600 - answered;

    const honest = await target.create();
    const waiting = wait('203.0.113.5', AbortSignal.timeout(30_000), honest);
    const { code } = await target.deliver(honest.address);
    const answer = await waiting;
    stop.abort();
    await Promise.all(attack);
    const granted = answer.headers.get('preference-applied') !== null;
    return {
      measured: `${held} of 600 held; the honest one ${granted ? 'waited' : 'did not wait'}, mail ${code}`,
      holds: granted && answer.status === 200 && code === 250,
    };
  },
};

/** Guessed tokens at somebody's test, and tests that are created only to be deleted. */
export const deletions: Attack = {
  threshold: 'honest mails taken and tests kept; 10 guesses, then 429; the holder deletes',
  async run(target, seconds) {
    const del = ({ test_id }: CreatedTest, token: string, from: string) =>
      fetch(`${target.http}/v1/tests/${test_id}`, {
        method: 'DELETE',
        headers: { 'x-read-token': token, 'x-forwarded-for': from },
      });
    const victim = await target.create();
    const guesses: number[] = [];
    for (let n = 0; n < 30; n++)
      guesses.push((await del(victim, `guess-${n}`, '198.51.100.7')).status);
    const tried = guesses.filter((status) => status === 403).length;
    const known = guesses.every((status) => status === 403 || status === 429);

    let churned = 0;
    const attack = attackers(4, async (attacker) => {
      const test = await target.create();
      if ((await del(test, test.read_token, `198.51.${attacker}.7`)).status === 204) churned += 1;
    });
    const { codes } = await sendHonestMails(target, seconds);
    await attack.stop();
    const kept = (await target.status(victim)) === 'waiting';
    const ended = (await del(victim, victim.read_token, '203.0.113.5')).status;
    const taken = codes.filter((code) => code === 250).length;
    return {
      measured: `${taken} of ${codes.length} taken beside ${churned} deletions; ${tried} guesses, the holder ${ended}`,
      holds: taken === codes.length && kept && known && tried <= WRONG_TOKENS && ended === 204,
    };
  },
};

/** Five hundred connections whose request comes a byte at a time, half of them within its body. */
export const slowHttp: Attack = {
  threshold: 'an honest call: p99 at most 1 s; each slow one ends within 25 s by a 408',
  async run(target, seconds) {
    const { test_id } = await target.create();
    const probe = await startProbe(`${target.http}/v1/tests/${test_id}/status`);
    const port = Number(new URL(target.http).port);
    const ends: { readonly milliseconds: number; readonly answer: string }[] = [];
    const attack = attackers(500, async (attacker) => {
      const begin = performance.now();
      const socket = connect(port, '127.0.0.1');
      const { promise, resolve } = Promise.withResolvers<string>();
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('error', () => {}).on('close', () => resolve(answer));
      socket.write('POST /v1/tests HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
      if (attacker % 2 === 0) socket.write('Content-Length: 1000\r\n\r\n');
      else socket.write('X-Slow: ');
      const drip = setInterval(() => socket.write('a'), 1000);
      const end = setInterval(() => attack.isOver() && socket.destroy(), 200);
      await promise;
      clearInterval(drip);
      clearInterval(end);
      if (!attack.isOver()) ends.push({ milliseconds: performance.now() - begin, answer });
    });
    await pause(Math.max(seconds, 2) * 1000);
    await attack.stop();
    const times = await probe.stop();
    const p99 = Math.round(quantile(times, 0.99));
    const slowest = Math.round(Math.max(0, ...ends.map(({ milliseconds }) => milliseconds)));
    const others = ends.filter(({ answer }) => !answer.startsWith('HTTP/1.1 408 ')).length;
    return {
      measured: `p99 ${p99} ms of ${times.length} calls; ${ends.length} slow ones ended, the last after ${slowest} ms, ${others} without a 408`,
      holds: p99 <= 1000 && slowest <= 25_000 && others === 0,
    };
  },
};

const call = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** Calls of tools without end from one network: tests are created through them, too. */
export const mcpCalls: Attack = {
  threshold: 'at most 120 tests created a minute; an honest call: p99 at most 1 s',
  async run(target, seconds) {
    const { test_id } = await target.create();
    const probe = await startProbe(`${target.http}/v1/tests/${test_id}/status`);
    const body = call('tools/call', { name: 'create_test', arguments: {} });
    let calls = 0;
    let created = 0;
    const attack = attackers(20, async (attacker) => {
      const answer = await fetch(`${target.http}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'x-forwarded-for': `198.51.100.${attacker}`,
        },
        body,
      });
      const text = await answer.text();
      calls += 1;
      if (/"test_id\\?"/.test(text)) created += 1;
      if (answer.status === 429) await pause(50);
    });
    await pause(Math.max(seconds, 2) * 1000);
    await attack.stop();
    const times = await probe.stop();
    const p99 = Math.round(quantile(times, 0.99));
    const most = 120 * (Math.ceil(seconds / 60) + 1);
    return {
      measured: `${created} tests by ${calls} calls; p99 ${p99} ms of ${times.length} calls`,
      holds: created > 0 && created <= most && p99 <= 1000,
    };
  },
};

/** Tests without end from one IPv6 /48, while others create theirs. */
export const creationFlood: Attack = {
  threshold: 'at most 120 a minute for a /48; every honest creation succeeds',
  async run(target, seconds) {
    let tried = 0;
    let created = 0;
    const attack = attackers(20, async () => {
      tried += 1;
      const ip = `2001:db8:1:${(tried & 0xffff).toString(16)}::1`;
      const { status } = await target.post({ 'x-forwarded-for': ip });
      if (status === 201) created += 1;
    });
    const { codes } = await sendHonestMails(target, seconds);
    await attack.stop();
    const most = 120 * (Math.ceil(seconds / 60) + 1);
    const taken = codes.filter((code) => code === 250).length;
    return {
      measured: `${created} of ${tried} created; ${taken} of ${codes.length} honest mails taken`,
      holds: created <= most && taken === codes.length,
    };
  },
};

/** Tests without end from many networks, until the log is full of them: it stays so. */
export const creation: Attack = {
  threshold: '503 with Retry-After; tests created before still become ready and are paid for',
  kind: 'sells',
  async run(target) {
    const early = await Promise.all(Array.from({ length: 10 }, target.create));
    let created = 0;
    let answer = await target.post();
    for (; answer.status === 201 && created < 100_000; created++) answer = await target.post();
    const retryAfter = Number(answer.headers.get('retry-after'));
    for (const { address } of early) await target.deliver(address);
    const states = await Promise.all(early.map(target.status));
    const ready = states.filter((status) => status === 'ready').length;
    const paid: number[] = [];
    for (const test of early) paid.push(await target.pay(test).catch(() => 0));
    const read = paid.filter((status) => status === 200).length;
    return {
      measured: `${answer.status} after ${created} tests, Retry-After ${retryAfter} s, ${ready} of 10 ready, ${read} paid for`,
      holds: answer.status === 503 && retryAfter > 0 && ready === 10 && read === 10,
    };
  },
};
