import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createNewResolver } from '../../../src/adapters/dns/resolver.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import { createAnalysis } from '../bench/analysis/analyze.ts';
import type { HostileAnswers } from './answers.ts';
import { watchEventLoop } from './main-thread.ts';

export interface AnswersRead {
  readonly report: Report;
  readonly milliseconds: number;
  /** Processor time that the main thread spent at one go, in milliseconds. */
  readonly mainMs: number;
}

/** Analyzes mails whose sender's DNS is hostile, over the wire, as the service does. */
export async function startAnswersReader() {
  const dns = new Worker(new URL('./dns-thread.ts', import.meta.url));
  const [address] = (await once(dns, 'message')) as [string];
  let policy = '';
  const analysis = createAnalysis(
    createNewResolver({ servers: [address], timeoutMs: 10_000, tries: 1 }),
    async () => ({
      status: 'fetched',
      httpStatus: 200,
      contentType: 'text/plain',
      body: Buffer.from(policy),
    }),
  );
  return {
    async read(answers: HostileAnswers): Promise<AnswersRead> {
      dns.postMessage(answers.zone);
      await once(dns, 'message');
      policy = answers.policy ?? '';
      const turns = watchEventLoop();
      const begin = performance.now();
      const report = await analysis.report(answers.mail);
      const milliseconds = performance.now() - begin;
      return { report, milliseconds, mainMs: await turns.stop() };
    },
    async stop() {
      await dns.terminate();
    },
  };
}
