import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Finding } from '../../domain/report/report.ts';
import { lowestScore } from '../../domain/report/score-text.mjs';
import { COMMAND_VERSION } from '../identity.ts';
import { bySeverity, type Fault, isOfMail, type RunOutcome } from '../outcome.ts';
import type { FilePlace } from './json-schema.ts';
import { plainText } from './plain-text.ts';

const LEVELS = { fail: 'error', warn: 'warning', info: 'note', pass: 'none' } as const;

/**
 * Formats results as SARIF 2.1.0: one result for each finding that does not pass, with the kind `open` for
 * unknown findings (§3.27.9).
 */
export function toSarif(outcomes: readonly RunOutcome[]): string {
  const shown = outcomes.flatMap((outcome) =>
    [...(outcome.report?.findings ?? [])]
      .sort(bySeverity)
      .filter(isShown)
      .map((finding) => ({ finding, outcome })),
  );
  const rules = [...new Map(shown.map(({ finding }) => [finding.id, finding])).values()];
  const faults = outcomes.flatMap(({ fault, file }) => (fault ? [{ fault, file }] : []));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'deliverability',
            version: COMMAND_VERSION,
            rules: rules.map(toRule),
          },
        },
        invocations: [
          {
            executionSuccessful: faults.length === 0,
            ...(faults[0] && {
              exitCode: faults[0].fault.exitCode,
              toolExecutionNotifications: faults.map(toNotification),
            }),
          },
        ],
        results: shown.map(({ finding, outcome }) =>
          toResult(
            finding,
            rules.findIndex(({ id }) => id === finding.id),
            outcome,
          ),
        ),
        properties:
          outcomes.length === 1 ? scoresOf(outcomes[0]) : { mails: outcomes.map(scoresOf) },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const isShown = ({ severity, fix, checked }: Finding): boolean =>
  checked === false || (severity !== 'pass' && fix !== undefined);

const toNotification = ({ fault, file }: { fault: Fault; file: string | null }) => ({
  level: fault.excused ? 'warning' : 'error',
  message: { text: plainText(fault.message) },
  descriptor: { id: fault.code },
  ...(file !== null && { locations: [toLocation(file, undefined)] }),
});

const scoresOf = (
  { report, file }: Pick<RunOutcome, 'report' | 'file'> = { report: null, file: null },
) => ({
  ...(file !== null && { file }),
  ...(report &&
    isOfMail(report) && {
      score: report.score,
      lowest_score: lowestScore(report),
      grade: report.grade,
    }),
});

const toLocation = (file: string, place: FilePlace | undefined) => ({
  physicalLocation: {
    artifactLocation: { uri: toUri(file) },
    region: { startLine: place?.line ?? 1 },
  },
  ...(place && { logicalLocations: [{ name: place.what }] }),
});

const toRule = ({ id, title, area }: Finding) => ({
  id,
  shortDescription: { text: title },
  properties: { tags: [area] },
});

function toResult(finding: Finding, ruleIndex: number, { report, file, places }: RunOutcome) {
  const { id, severity, title, detail, fix, checked } = finding;
  const text = [`${title}.`, detail, fix].filter(Boolean).join('\n');
  return {
    ruleId: id,
    ruleIndex,
    // A result without a verdict has the level `none` (§3.27.10).
    ...(checked === false ? { kind: 'open', level: 'none' } : { level: LEVELS[severity] }),
    message: { text: plainText(text) },
    // GitHub code scanning shows only results with a location, so an email that was sent gets a name instead
    // of a file.
    locations: [
      toLocation(file ?? (report && !isOfMail(report) ? report.domain : 'mail'), places.get(id)),
    ],
    partialFingerprints: { finding: id },
  };
}

/** Returns the URI of a file. In a relative one, `#`, `?` and `:` would otherwise not belong to the path. */
const toUri = (file: string) =>
  isAbsolute(file) ? pathToFileURL(file).href : file.split(sep).map(encodeURIComponent).join('/');
