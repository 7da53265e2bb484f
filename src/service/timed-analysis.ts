import type { AnalyzeMail } from '../ports/mail.ts';
import type { Traces } from '../ports/traces.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** The same analysis; how long each of its stages takes is observed. */
export function timedAnalysis(
  analyze: AnalyzeMail,
  { analysisSeconds }: Pick<Metrics, 'analysisSeconds'>,
  traces?: Traces,
): AnalyzeMail {
  return async (mail) => {
    const endGate = analysisSeconds.startTimer({ stage: 'gate' });
    const endSpan = traces?.begin('mail gate', mail.testId);
    const analyzed = await analyze(mail).finally(() => {
      endGate();
      endSpan?.();
    });
    return {
      ...analyzed,
      report: (arrival) =>
        analyzed.report(arrival).finally(analysisSeconds.startTimer({ stage: 'facts' })),
    };
  };
}
