import { serve, startApart } from './apart.ts';

/** Between two calls, in milliseconds, on average: never in step with what is measured. */
const EVERY_MS = 20;

/** Measures an API's answers, call by call. */
function createProbe() {
  let times: number[] = [];
  let calls = 0;
  function ask(url: string): void {
    const begin = performance.now();
    calls += 1;
    const headers = { 'x-forwarded-for': `10.99.${(calls >> 6) & 255}.1` };
    fetch(url, { headers })
      .then((answer) => answer.text())
      .then(
        () => times.push(performance.now() - begin),
        () => times.push(Number.POSITIVE_INFINITY),
      );
  }
  function begin(url: string): void {
    ask(url);
    setTimeout(begin, 2 * EVERY_MS * Math.random(), url);
  }
  return {
    begin,
    /** The times of all answers since the last taking, in milliseconds. */
    take(): readonly number[] {
      const taken = times;
      times = [];
      return taken;
    },
  };
}

/** In a process of its own: this one is busy with attacking. */
export async function startProbe(url: string) {
  const probe = await startApart<ReturnType<typeof createProbe>>(import.meta.url);
  await probe.call('begin', url);
  const take = () => probe.call('take');
  return {
    take,
    async stop(): Promise<readonly number[]> {
      const times = await take();
      await probe.stop();
      return times;
    },
  };
}

if (import.meta.main) serve(createProbe());
