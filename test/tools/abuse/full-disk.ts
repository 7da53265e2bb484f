import { join } from 'node:path';
import { mountSmallDisk, NO_DISK } from '../../support/process/small-disk.ts';
import { startStack } from '../../support/process/stack.ts';
import { until } from '../../support/process/until.ts';
import type { Attack } from './attack.ts';

/** The disk of the log is filled by something else, and freed again. */
export const fullDisk: Attack = {
  threshold: 'mails 451 and creations 503 while it is full; then the service goes on by itself',
  kind: 'alone',
  async run() {
    const disk = mountSmallDisk();
    if (!disk) return { measured: `not tried: ${NO_DISK}`, holds: true };
    const stack = await startStack({ DATA_DIR: join(disk.path, 'data') }, { ownLog: true });
    try {
      const { create, send, http, pid } = stack;
      const first = pid();
      const tests = [await create(), await create()];
      disk.fill();
      const refused = await until(async () => {
        disk.fill();
        const { status } = await fetch(`${http()}/v1/tests`, { method: 'POST' });
        return status === 201 ? undefined : status;
      });
      const [address = ''] = tests.map((one) => one.address);
      const mail = await send(address).catch((error: unknown) => String(error));
      disk.free();
      await until(async () => (await fetch(`${http()}/readyz`)).ok || undefined);
      const replies = await Promise.all(tests.map((one) => send(one.address).catch(String)));
      const taken = replies.filter((reply) => reply.startsWith('250')).length;
      return {
        measured: `creation ${refused}, mail ${/\d{3}/.exec(mail)?.[0]}; then ${taken} of 2 taken`,
        holds: refused === 503 && /45[12]/.test(mail) && taken === 2 && pid() === first,
      };
    } finally {
      await stack.stop();
      disk.remove();
    }
  },
};
