import { hash } from 'node:crypto';
import { judgeGate } from '../analysis/gate.ts';
import { writeReport } from '../analysis/report.ts';
import { isReport } from '../domain/report/report.ts';
import type { Clock } from '../ports/ambient.ts';
import type { AnalyzeMail, Inspect } from '../ports/mail.ts';

interface Options {
  readonly inspect: Inspect;
  readonly clock: Clock;
}

/** The whole analysis of a mail in this thread: gate, facts, report and its bytes. */
export function createAnalyzeMail({ inspect, clock }: Options): AnalyzeMail {
  return async ({ bytes, block, ...about }) => {
    const inspected = await inspect(about).read(bytes, block);
    const { headerFromDomain, resolverDown } = inspected.gate;
    const reasons = judgeGate(inspected.gate);
    if (reasons.length === 0 && !resolverDown)
      await inspected.awaitLookups().catch((error: unknown) => {
        inspected.end();
        throw error;
      });
    return {
      gate: { reasons, headerFromDomain, resolverDown },
      async report(arrival) {
        const facts = await inspected.facts(arrival);
        if (facts === 'lost') return 'lost';
        // Never before the event it follows, whatever this clock says.
        const at = Math.max(clock(), Date.parse(arrival.receivedAt));
        const analyzedAt = new Date(at).toISOString();
        const { report, json: text } = writeReport(facts, analyzedAt);
        if (!isReport(report)) throw new TypeError('A report does not fit its schema.');
        const json = new TextEncoder().encode(text);
        const sha256 = hash('sha256', json);
        return { json, sha256, score: report.score, grade: report.grade, analyzedAt };
      },
      end: inspected.end,
    };
  };
}
