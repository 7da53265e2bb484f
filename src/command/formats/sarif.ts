import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Finding } from '../../domain/report/report.ts';
import { COMMAND_VERSION } from '../identity.ts';
import { bySeverity, lowestScore, type RunOutcome } from '../outcome.ts';
import { plainText } from './plain-text.ts';

const LEVELS = { fail: 'error', warn: 'warning', info: 'note', pass: 'none' } as const;

/** SARIF 2.1.0: a result for each finding that does not pass; `open` for what is not known (§3.27.9). */
export function toSarif(outcome: RunOutcome): string {
  const findings = [...(outcome.report?.findings ?? [])].sort(bySeverity);
  const shown = findings.filter(
    ({ severity, fix, checked }) => checked === false || (severity !== 'pass' && fix !== undefined),
  );
  const { fault } = outcome;
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'deliverability',
            version: COMMAND_VERSION,
            rules: shown.map(toRule),
          },
        },
        invocations: [
          {
            executionSuccessful: fault === null,
            ...(fault && {
              exitCode: fault.exitCode,
              toolExecutionNotifications: [
                {
                  level: fault.excused ? 'warning' : 'error',
                  message: { text: plainText(fault.message) },
                },
              ],
            }),
          },
        ],
        results: shown.map((finding, index) => toResult(finding, index, outcome)),
        ...(outcome.report && {
          properties: {
            score: outcome.report.score,
            lowest_score: lowestScore(outcome.report),
            grade: outcome.report.grade,
          },
        }),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const toRule = ({ id, title, area }: Finding) => ({
  id,
  shortDescription: { text: title },
  properties: { tags: [area] },
});

function toResult(finding: Finding, ruleIndex: number, { file }: RunOutcome) {
  const { id, severity, title, detail, fix, checked } = finding;
  const text = [`${title}.`, detail, fix].filter(Boolean).join('\n');
  return {
    ruleId: id,
    ruleIndex,
    // §3.27.10: what has no verdict has no level.
    ...(checked === false ? { kind: 'open', level: 'none' } : { level: LEVELS[severity] }),
    message: { text: plainText(text) },
    locations: [
      {
        // Code scanning shows nothing that is nowhere: what was sent stands at a name of its own.
        physicalLocation: {
          artifactLocation: { uri: toUri(file ?? 'mail') },
          region: { startLine: 1 },
        },
      },
    ],
    partialFingerprints: { finding: id },
  };
}

const toUri = (file: string) =>
  isAbsolute(file) ? pathToFileURL(file).href : encodeURI(file.replaceAll('\\', '/'));
