import { judge } from '../soak/history/judge.ts';
import { runRound } from '../soak/history/round.ts';
import { inPaymentEnvironment } from '../soak/payments.ts';
import { soak } from '../soak/rounds.ts';
import type { Attack } from './attack.ts';

const SEED = 2107;

/** Replicas are killed by -9 at any step of a payment, and their clocks are wrong by up to six hours. */
export const killedPayments: Attack = {
  threshold: 'killed at least once; as many payments taken as reports paid for',
  kind: 'alone',
  async run(_target, seconds) {
    const rounds = Math.max(1, Math.round(seconds / 6));
    const print = () => {};
    const { requests, kills, jumps } = await inPaymentEnvironment((environment) =>
      soak({ environment, rounds, seed: SEED, print }),
    );
    return {
      measured: `${rounds} rounds, ${requests} requests, ${kills} kills, ${jumps} wrong clocks`,
      holds: kills > 0,
    };
  },
};

/** The service and its nats-server are killed, paused and restarted, and clocks jump by up to four days. */
export const outages: Attack = {
  threshold: 'no answer that the log does not hold',
  kind: 'alone',
  async run(_target, seconds, env) {
    const history = await runRound({
      seed: SEED,
      seconds,
      tests: Number.POSITIVE_INFINITY,
      faults: Number.POSITIVE_INFINITY,
      clients: 4,
      cluster: false,
      retentionSeconds: 40,
      env,
      onLog: () => {},
    });
    const violations = judge(history);
    return {
      measured: `${violations.length} violations in ${history.operations.length} answers and ${history.faults.length} faults`,
      holds: violations.length === 0 && history.faults.length > 0,
    };
  },
};
