import type { Inspect } from '../ports/mail.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** The same inspection; how long each of its stages takes is observed. */
export function timedInspection(
  inspect: Inspect,
  { analysisSeconds }: Pick<Metrics, 'analysisSeconds'>,
): Inspect {
  return (mail) => {
    const inspection = inspect(mail);
    return {
      ...inspection,
      async read(...args) {
        const endGate = analysisSeconds.startTimer({ stage: 'gate' });
        const inspected = await inspection.read(...args).finally(endGate);
        return {
          ...inspected,
          facts: (...instants) =>
            inspected.facts(...instants).finally(analysisSeconds.startTimer({ stage: 'facts' })),
        };
      },
    };
  };
}
