import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../figures.ts';
import { MIB, mailWithFile } from '../sized-mail.ts';
import { deliver } from './deliver.ts';
import type { MailEnvironment } from './environment.ts';

const MAILS = 100;

/** Below what the receiver takes, with what the signature adds. */
const MAIL_BYTES = 9.9 * MIB;

/** What the service may keep of mails by default, in MiB, and what reading them may take beside it. */
const BUDGET_MIB = 256;
const BESIDE_MIB = 150;

/** Mails that come first, so that what every process needs is there. */
const WARM_UPS = 20;

const LOOK_MS = 20;

/** Memory of a process that is in use, in MiB, as Linux counts it. */
async function resident(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** How far the memory grows when many large mails come at once, and that each is taken in the end. */
export async function measureMemory(environment: MailEnvironment): Promise<Figure[]> {
  const mail = await mailWithFile(MAIL_BYTES, 'anybody@in.example.net', environment.key);
  const small = await mailWithFile(MIB, 'anybody@in.example.net', environment.key);
  for (let n = 0; n < WARM_UPS; n += 1)
    await deliver(small, (await environment.create()).address, environment.via);

  const tests = await Promise.all(Array.from({ length: MAILS }, environment.create));
  const before = await resident(environment.pid);
  let most = before;
  let isDone = false;
  const watch = async () => {
    for (; !isDone; await sleep(LOOK_MS)) most = Math.max(most, await resident(environment.pid));
  };
  const watching = watch();
  const refusals = await Promise.all(
    tests.map(({ address }) => deliver(mail, address, environment.via)),
  ).finally(() => {
    isDone = true;
  });
  await watching;

  const states = await Promise.all(tests.map(environment.status));
  return [
    {
      what: `memory grown by ${MAILS} mails of 9.9 MiB at once`,
      value: most - before,
      unit: 'MiB',
      target: { most: BUDGET_MIB + BESIDE_MIB },
    },
    {
      what: 'of these, answered 4xx first',
      value: refusals.filter((times) => times > 0).length,
      unit: 'mails',
    },
    {
      what: 'of these, analysed in the end',
      value: states.filter((status) => status === 'ready').length,
      unit: 'mails',
      target: { least: MAILS },
    },
  ];
}
