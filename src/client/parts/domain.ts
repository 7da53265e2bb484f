/** Runs `deliverability domain`, which checks what a domain publishes before any email is sent. */

import { formatList } from '../../analysis/format.ts';
import { isPublicSuffix } from '../../analysis/names/domain-names.ts';
import type { DomainReport } from '../../domain/report/domain-report.ts';
import type { CommandConsole } from '../console.ts';
import { criteriaOptions } from '../criteria-options.ts';
import { domainReport } from '../domain/domain-report.ts';
import type { ExitCode } from '../exit.ts';
import { emptyOutputs } from '../formats/print-outcome.ts';
import { dnsOptions, toDnsSources } from '../lint/dns-options.ts';
import { readArgs, type ValuesOf } from '../options.ts';
import { outcomeOf, printAll, toJudging } from '../run-criteria.ts';
import { withProgress } from '../with-progress.ts';

// `--min-score` is left out, because a report on a domain has no score.
const { 'min-score': _, ...criteria } = criteriaOptions;

const options = {
  ...criteria,
  ...dnsOptions,
  validates: { type: 'boolean' },
  starttls: { type: 'boolean' },
  selector: { type: 'string', multiple: true },
} as const;

type Values = ValuesOf<typeof options>;

/** Checks what a domain publishes before any email is sent. It needs neither the service nor a payment. */
export async function runDomain(
  args: readonly string[],
  console: CommandConsole,
): Promise<ExitCode> {
  const { values, positionals } = readArgs(args, options, ['NAME']);
  const judging = toJudging(values, console);
  emptyOutputs(judging);
  return printAll(judging, console, async () => [
    await outcomeOf(judging, null, async () => {
      const isOffline = values.dns !== undefined || values.resolver !== undefined;
      const dns = toDnsSources(isOffline ? values : { ...values, resolver: 'system' });
      const { selector = [], starttls } = values;
      const report = await withProgress(
        console.note,
        (seconds) => `Still waiting for DNS answers after ${seconds} s.`,
        () => domainReport(positionals[0] ?? '', selector, dns, starttls),
      );
      return { report, remarks: remarksOn(report, values) };
    }),
  ]);
}

function remarksOn(
  { domain, needs_mail }: DomainReport,
  { selector, validates, starttls }: Values,
): string[] {
  const needs = [
    ...(selector === undefined ? ['--selector (the DKIM keys)'] : []),
    ...(validates ? [] : ['--validates (DNSSEC and DANE; only if the resolver checks signatures)']),
    ...(starttls ? [] : ['--starttls (TLS of the mail hosts; needs access to port 25)']),
  ];
  return [
    ...(isPublicSuffix(domain)
      ? [
          `${domain} is a public suffix, and the domains under it have different owners. Unless you run it, name your own domain.`,
        ]
      : []),
    `${needs_mail.length} more findings need an email. A domain on its own has no score.`,
    ...(needs.length > 0 ? [`To check more, add ${formatList(needs)}.`] : []),
  ];
}
