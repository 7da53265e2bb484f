import type { Report } from '../../domain/report/report.ts';
import type { CommandConsole } from '../console.ts';
import { criteriaOptions } from '../criteria-options.ts';
import { type ExitCode, usageError } from '../exit.ts';
import { emptyOutputs } from '../formats/print-outcome.ts';
import { dnsOptions, toDnsSources } from '../lint/dns-options.ts';
import { findMails } from '../lint/find-mails.ts';
import { type LintResult, lintMail, seesLists } from '../lint/lint-mail.ts';
import { createLocator } from '../lint/locate.ts';
import { type MailFile, readMailFile } from '../lint/read-mail-file.ts';
import { mailReader } from '../lint/transaction.ts';
import { readArgs } from '../options.ts';
import { lowestScore, type RunOutcome } from '../outcome.ts';
import { type FoundReport, outcomeOf, printAll, toJudging } from '../run-criteria.ts';

const options = {
  ...criteriaOptions,
  ...dnsOptions,
  ip: { type: 'string' },
  helo: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  at: { type: 'string' },
  smtputf8: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof readArgs<typeof options>>['values'];

/** Reads files as the service reads mails: without the service and any payment. */
export async function runLint(args: readonly string[], console: CommandConsole): Promise<ExitCode> {
  const { values, positionals } = readArgs(args, options, ['FILE...']);
  const { mails, many } = findMails(positionals);
  const judging = { ...toJudging(values), many };
  const inputs = mails.map(({ path }) => path);
  emptyOutputs(judging.outputs, values.dns === undefined ? inputs : [...inputs, values.dns]);
  return printAll(judging, console, async () => {
    const dns = toDnsSources(values);
    const toMail = mailReader(values);
    const outcomes: RunOutcome[] = [];
    for (const { path, mistake } of mails)
      outcomes.push(
        await outcomeOf(judging, path === '-' ? null : path, async () => {
          if (mistake !== undefined) throw usageError(mistake);
          const file = await readMailFile(path, console);
          const result = await lintMail(toMail(file), dns);
          return toFound(result, file, values, seesLists(dns));
        }),
      );
    return outcomes;
  });
}

function toFound(
  { report, refusal }: LintResult,
  file: MailFile,
  values: Values,
  withLists: boolean,
): FoundReport {
  const locate = createLocator(file.bytes, file.firstLine);
  return {
    report,
    places: new Map(report.findings.map((one) => [one.id, locate(one)])),
    remarks: [
      ...refusal.map(({ detail }) => `The service would refuse this mail: ${detail}`),
      ...missing(values, file, report),
      `Never checked here: ${withLists ? '' : 'blocklists, '}DNSSEC and DANE, the files of MTA-STS and BIMI, the TLS of the connection, and the reputation of links. The score leaves them out.`,
    ],
  };
}

/** What would make more of it known. */
function missing(
  { dns, resolver, ip, helo, from }: Values,
  { sender }: MailFile,
  report: Report,
): string[] {
  const isPartial = dns !== undefined && resolver === undefined;
  const needs = [
    ...(dns === undefined && resolver === undefined
      ? ['--resolver or --dns for everything that is in DNS']
      : []),
    ...(isPartial && lowestScore(report) < report.score
      ? ['--resolver for what is not in the zone file (or --whole-zone, if it is all there is)']
      : []),
    ...(ip === undefined ? ['--ip for SPF and reverse DNS'] : []),
    ...(helo === undefined ? ['--helo'] : []),
    ...(from === undefined && !sender ? ['--from, since the mail names no sender'] : []),
  ];
  return needs.length > 0 ? [`To have more checked, add ${needs.join(', ')}.`] : [];
}
