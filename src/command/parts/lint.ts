import { isIP } from 'node:net';
import { canonicalIp } from '../../analysis/addresses.ts';
import { toDomain } from '../../analysis/names/domain-names.ts';
import type { Report } from '../../domain/report/report.ts';
import type { ClientFacts, EnvelopeFrom } from '../../ports/mail.ts';
import type { CommandConsole } from '../console.ts';
import { criteriaOptions } from '../criteria-options.ts';
import { type ExitCode, usageError } from '../exit.ts';
import { dnsOptions, toDnsSources } from '../lint/dns-options.ts';
import { type LintedMail, lintMail, seesLists } from '../lint/lint-mail.ts';
import { type MailFile, readMailFile } from '../lint/read-mail-file.ts';
import { readArgs } from '../options.ts';
import { lowestScore } from '../outcome.ts';
import { judgeAndPrint, toJudging } from '../run-criteria.ts';

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

/** Recipient of a mail that names none. */
const NOBODY = { localPart: 'recipient', domain: 'test.invalid' };

/** Reads a file as the service reads a mail: without the service and any payment. */
export async function runLint(args: readonly string[], console: CommandConsole): Promise<ExitCode> {
  const { values, positionals } = readArgs(args, options, ['FILE']);
  const judging = toJudging(values);
  const path = positionals[0] ?? '';
  const dns = toDnsSources(values);
  const mail = toMail(values, await readMailFile(path, console));
  return judgeAndPrint(judging, console, async () => {
    const { report, refusal } = await lintMail(mail, dns);
    const remarks = [
      ...refusal.map(({ detail }) => `The service would refuse this mail: ${detail}`),
      ...missing(values, report),
      `Never checked here: ${seesLists(dns) ? '' : 'blocklists, '}the files of MTA-STS and BIMI, the TLS of the connection, and the reputation of links. The score leaves them out.`,
    ];
    return { report, remarks, ...(path !== '-' && { file: path }) };
  });
}

/** What would make more of it known. */
function missing({ dns, resolver, ip, helo }: Values, report: Report): string[] {
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
  ];
  return needs.length > 0 ? [`To have more checked, add ${needs.join(', ')}.`] : [];
}

function toMail(values: Values, file: MailFile): LintedMail {
  const { ip, helo, from, to, at, smtputf8 } = values;
  if (ip !== undefined && isIP(ip) === 0)
    throw usageError(`--ip must be an IP address, not ${ip}.`);
  const client: ClientFacts = {
    ip: ip === undefined ? null : canonicalIp(ip),
    helo: helo ?? null,
    source: 'smtp',
    tls: { status: 'not_observable', version: null, cipher: null },
  };
  const recipient = to === undefined ? file.recipient : toAddress('--to', to);
  const receivedAt = at === undefined ? (file.date ?? new Date().toISOString()) : toInstant(at);
  return {
    bytes: file.bytes,
    client,
    from: { ...toSender(from, file), smtputf8: smtputf8 === true },
    to: recipient ? { localPart: localOf(recipient), domain: recipient.domain ?? '' } : NOBODY,
    receivedAt,
  };
}

const localOf = (address: { readonly localPart?: string; readonly local?: string }) =>
  address.localPart ?? address.local ?? '';

/** `<>` is the null sender, as of bounces. */
function toSender(from: string | undefined, { sender }: MailFile): Omit<EnvelopeFrom, 'smtputf8'> {
  if (from === '' || from === '<>') return { localPart: '', domain: '' };
  if (from !== undefined) return toAddress('--from', from);
  if (!sender) throw usageError('The mail names no sender: add --from ADDRESS.');
  return { localPart: sender.local, domain: sender.domain ?? '' };
}

function toAddress(option: string, text: string) {
  const at = text.lastIndexOf('@');
  const host = text.slice(at + 1);
  // An address literal (RFC 5321 §4.1.3) is no domain, and may stand in its place.
  const domain = at < 1 ? null : /^\[[^\s\]]+\]$/.test(host) ? host : toDomain(host);
  if (domain === null) throw usageError(`${option} must be a mail address, not ${text}.`);
  return { localPart: text.slice(0, at), domain };
}

function toInstant(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime()))
    throw usageError(`--at must be a time such as 2026-11-22T10:00:00Z, not ${text}.`);
  return at.toISOString();
}
