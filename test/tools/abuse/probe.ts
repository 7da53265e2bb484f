import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Between two calls, in milliseconds. */
const EVERY_MS = 20;

/** Measures an API's answers in a thread of its own: this one is busy with attacking. */
export async function startProbe(url: string) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url } });
  await once(worker, 'message');
  /** The times of all answers since the last taking, in milliseconds. */
  async function take(): Promise<readonly number[]> {
    worker.postMessage('take');
    const [times] = (await once(worker, 'message')) as [number[]];
    return times;
  }
  return {
    take,
    async stop(): Promise<readonly number[]> {
      const times = await take();
      await worker.terminate();
      return times;
    },
  };
}

if (!isMainThread && workerData?.url) {
  const { url } = workerData as { readonly url: string };
  let times: number[] = [];
  let calls = 0;
  setInterval(() => {
    const begin = performance.now();
    calls += 1;
    const headers = { 'x-forwarded-for': `10.99.${(calls >> 6) & 255}.1` };
    fetch(url, { headers })
      .then((answer) => answer.text())
      .then(
        () => times.push(performance.now() - begin),
        () => times.push(Number.POSITIVE_INFINITY),
      );
  }, EVERY_MS);
  parentPort?.on('message', () => {
    parentPort?.postMessage(times);
    times = [];
  });
  parentPort?.postMessage('ready');
}
