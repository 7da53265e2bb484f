import type { AnalyzeMail } from '../ports/mail.ts';
import type { Traces } from '../ports/traces.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** The same analysis; how long each of its stages takes is observed. */
export function timedAnalysis(
  analyze: AnalyzeMail,
  { analysisSeconds, analysesOpen }: Pick<Metrics, 'analysisSeconds' | 'analysesOpen'>,
  traces?: Traces,
): AnalyzeMail {
  return async (mail) => {
    analysesOpen.inc();
    const endGate = analysisSeconds.startTimer({ stage: 'gate' });
    const endSpan = traces?.begin('mail gate', mail.testId);
    const analyzed = await analyze(mail)
      .catch((error: unknown) => {
        analysesOpen.dec();
        throw error;
      })
      .finally(() => {
        endGate();
        endSpan?.();
      });
    let isOpen = true;
    return {
      ...analyzed,
      report: (arrival) =>
        analyzed.report(arrival).finally(analysisSeconds.startTimer({ stage: 'facts' })),
      end() {
        if (isOpen) analysesOpen.dec();
        isOpen = false;
        analyzed.end();
      },
    };
  };
}
