import { formatList } from '../../analysis/format.ts';
import { remedyOf } from '../../domain/refusal-remedy.ts';
import { scoreText } from '../../domain/report/score-text.mjs';
import type { CommandConsole } from '../console.ts';
import { criteriaOptions } from '../criteria-options.ts';
import { type ExitCode, usageError } from '../exit.ts';
import { readOwnFile } from '../files.ts';
import { emptyOutputs } from '../formats/print-outcome.ts';
import { dnsOptions, toDnsSources } from '../lint/dns-options.ts';
import { filterOptions, saysWhere, toFilterSettings } from '../lint/filter-options.ts';
import { findMails } from '../lint/find-mails.ts';
import { fileJudge } from '../lint/lint-file.ts';
import { seesLists } from '../lint/lint-mail.ts';
import { readArgs, type ValuesOf } from '../options.ts';
import type { RunOutcome } from '../outcome.ts';
import { type FoundReport, outcomeOf, printAll, toJudging } from '../run-criteria.ts';
import { withProgress } from '../with-progress.ts';

const options = {
  ...criteriaOptions,
  ...dnsOptions,
  ...filterOptions,
  ip: { type: 'string' },
  helo: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  at: { type: 'string' },
  smtputf8: { type: 'boolean' },
} as const;

type Values = ValuesOf<typeof options>;
type Judged = Awaited<ReturnType<ReturnType<typeof fileJudge>>>;

/**
 * Runs `deliverability lint`: checks email files in the same way as the service does. It needs neither the
 * service nor a payment.
 */
export async function runLint(args: readonly string[], console: CommandConsole): Promise<ExitCode> {
  const { values, positionals } = readArgs(args, options, ['FILE...']);
  const { mails, many } = findMails(positionals);
  const paths = mails.map(({ path }) => path);
  const judging = { ...toJudging(values, console, paths), many };
  emptyOutputs(judging);
  const filters = toFilterSettings(values);
  const where = saysWhere(values);
  if (where !== null) console.note(where);
  return printAll(judging, console, async () => {
    const dns = toDnsSources(values);
    // The code for spam filters is loaded only if a filter is named.
    const askFilters = filters && (await import('../lint/filters.ts')).askNamedFilters(filters);
    const judge = fileJudge(dns, values, askFilters ?? undefined);
    const outcomes: RunOutcome[] = [];
    const judgeAll = async () => {
      for (const { path, mistake } of mails)
        outcomes.push(
          await outcomeOf(judging, path === '-' ? null : path, async () => {
            if (mistake !== undefined) throw usageError(mistake);
            const isStdin = path === '-';
            const bytes = isStdin ? await console.readStdin() : new Uint8Array(readOwnFile(path));
            return toFound(await judge(bytes, isStdin ? 'stdin' : path), values, seesLists(dns));
          }),
        );
      return outcomes;
    };
    return withProgress(
      console.note,
      (seconds) => `Checked ${outcomes.length} of ${mails.length} after ${seconds} s.`,
      judgeAll,
    );
  });
}

function toFound(
  { report, refusal, places, sender, isMarked }: Judged,
  values: Values,
  withLists: boolean,
): FoundReport {
  return {
    report,
    places: new Map(Object.entries(places)),
    remarks: [
      ...refusal.map(
        (reason) =>
          `The service would refuse this email: ${reason.detail} ${remedyOf(reason).text}.`,
      ),
      ...(isMarked
        ? [
            'The file begins with a byte order mark (BOM), which was left out. If your program sends the file as it is, save it without one.',
          ]
        : []),
      ...[saysWhere(values) ?? []].flat(),
      ...missing(values, sender, report),
      `Never checked here: ${withLists ? '' : 'blocklists, '}DNSSEC and DANE, MTA-STS and BIMI files, TLS on the connection, and link reputation. The score ignores them.`,
    ],
  };
}

/** Suggests options with which more of the unknown facts could be determined. */
function missing(
  { dns, resolver, ip, helo, from }: Values,
  sender: Judged['sender'],
  report: Judged['report'],
): string[] {
  const isPartial = dns !== undefined && resolver === undefined;
  const needs = [
    ...(dns === undefined && resolver === undefined
      ? ['--resolver or --dns (all DNS records)']
      : []),
    ...(isPartial && scoreText(report).isOpen
      ? [
          '--resolver (names that are not in the zone file; or --whole-zone, if the file is complete)',
        ]
      : []),
    ...(ip === undefined ? ['--ip (SPF and reverse DNS)'] : []),
    ...(helo === undefined ? ['--helo (the HELO name)'] : []),
    ...(from === undefined && !sender ? ['--from (the email names no sender)'] : []),
  ];
  return needs.length > 0 ? [`To check more, add ${formatList(needs)}.`] : [];
}
