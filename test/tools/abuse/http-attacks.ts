import { type Attack, repeat } from './attack.ts';
import type { CreatedTest, Target } from './target.ts';

/** Requests that a client's network may have waiting at a time. */
const OF_NETWORK = 80;

/** Wrong tokens that a client may try at one test in a minute. */
const WRONG_TOKENS = 10;

const statusUrl = ({ http }: Target, { test_id }: CreatedTest) =>
  `${http}/v1/tests/${test_id}/status`;

/** Requests that wait without end, from one client and from its neighbours. */
export const waiters: Attack = {
  threshold: 'at most 80 of a network held; an honest one waits and is answered',
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
      await new Promise((resolve) => setTimeout(resolve, 1000));
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
      holds: held <= OF_NETWORK && granted && answer.status === 200 && code === 250,
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

    const isOver = { value: false };
    let churned = 0;
    const churn = async () => {
      while (!isOver.value) {
        const test = await target.create();
        if ((await del(test, test.read_token, '198.51.101.7')).status === 204) churned += 1;
      }
    };
    const attackers = [churn(), churn(), churn(), churn()];
    const codes: number[] = [];
    await repeat(seconds, async () => {
      codes.push((await target.deliver((await target.create()).address)).code);
    });
    isOver.value = true;
    await Promise.all(attackers);
    const kept = (await target.status(victim)) === 'waiting';
    const ended = (await del(victim, victim.read_token, '203.0.113.5')).status;
    const taken = codes.filter((code) => code === 250).length;
    return {
      measured: `${taken} of ${codes.length} taken beside ${churned} deletions; ${tried} guesses, the holder ${ended}`,
      holds: taken === codes.length && kept && known && tried <= WRONG_TOKENS && ended === 204,
    };
  },
};
