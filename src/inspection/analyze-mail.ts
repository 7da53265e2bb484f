/**
 * Runs the whole analysis of one email in this thread: has it inspected, decides whether it is refused, and
 * writes the report as JSON with its hash.
 */

import { hash } from 'node:crypto';
import type { Facts } from '../analysis/facts.ts';
import { judgeGate } from '../analysis/gate.ts';
import { writeReport } from '../analysis/report.ts';
import { networksOf } from '../domain/fairness/networks.ts';
import type { Clock } from '../ports/ambient.ts';
import type { Resolver } from '../ports/dns.ts';
import type { AnalyzeMail, FinishedReport, Inspect } from '../ports/mail.ts';
import type { InSlice } from './slices.ts';

interface Options {
  readonly inspect: Inspect;
  readonly clock: Clock;
  readonly inSlice: InSlice;
  /** Called before work that could hang. */
  readonly mark: (resolver: Resolver) => void;
}

/** Runs the whole analysis of an email in this thread: gate, facts, report and its bytes. */
export function createAnalyzeMail({ inspect, clock, inSlice, mark }: Options): AnalyzeMail {
  return async ({ bytes, block, ...about }) => {
    const turn = { bytes: bytes.length, path: [...networksOf(about.client.ip), about.testId] };
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
        return inSlice('write', turn, () => {
          if (about.resolver) mark(about.resolver);
          // An event is never dated before the preceding one, even if this clock is behind.
          const at = Math.max(clock(), Date.parse(arrival.receivedAt));
          return finish(facts, new Date(at).toISOString());
        });
      },
      end: inspected.end,
    };
  };
}

function finish(facts: Facts, analyzedAt: string): FinishedReport {
  const { report, json: text } = writeReport(facts, analyzedAt);
  const json = new TextEncoder().encode(text);
  const sha256 = hash('sha256', json);
  return { json, sha256, score: report.score, grade: report.grade, analyzedAt };
}
