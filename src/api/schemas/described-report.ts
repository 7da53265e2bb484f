import { checks } from '../../analysis/checks.ts';
import { Finding, Report } from '../../domain/report/report.ts';

const { findings } = Report.properties;

/** The report as the API describes it: with the ids of the checks that there are. */
export const DescribedReport = {
  ...Report,
  properties: {
    ...Report.properties,
    findings: {
      ...findings,
      items: {
        ...Finding,
        properties: {
          ...Finding.properties,
          id: { ...Finding.properties.id, 'x-extensible-enum': checks.map(({ id }) => id) },
        },
      },
    },
  },
};
