import { isIP } from 'node:net';
import { canonicalIp } from '../../analysis/addresses.ts';
import { toDomain } from '../../analysis/names/domain-names.ts';
import type { ClientFacts, EnvelopeFrom } from '../../ports/mail.ts';
import type { CommandConsole } from '../console.ts';
import { criteriaOptions } from '../criteria-options.ts';
import { type ExitCode, usageError } from '../exit.ts';
import { readOwnFile } from '../files.ts';
import { type LintedMail, lintMail } from '../lint/lint-mail.ts';
import { type MailFile, readMailFile } from '../lint/read-mail-file.ts';
import { parseZoneFile } from '../lint/zone-file.ts';
import { zoneResolver } from '../lint/zone-resolver.ts';
import { readArgs } from '../options.ts';
import { judgeAndPrint, toJudging } from '../run-criteria.ts';

const options = {
  ...criteriaOptions,
  ip: { type: 'string' },
  helo: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  at: { type: 'string' },
  dns: { type: 'string' },
  smtputf8: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof readArgs<typeof options>>['values'];

/** Recipient of a mail that names none. */
const NOBODY = { localPart: 'recipient', domain: 'test.invalid' };

/** Reads a file as the service reads a mail: without the service, its network and any payment. */
export async function runLint(args: readonly string[], console: CommandConsole): Promise<ExitCode> {
  const { values, positionals } = readArgs(args, options, ['FILE']);
  const judging = toJudging(values);
  const path = positionals[0] ?? '';
  const records = values.dns === undefined ? [] : parseZoneFile(readZone(values.dns));
  const mail = toMail(values, await readMailFile(path, console));
  return judgeAndPrint(judging, console, async () => {
    const { report, refusal } = await lintMail(mail, zoneResolver(records));
    const remarks = [
      ...refusal.map(({ detail }) => `The service would refuse this mail: ${detail}`),
      ...missing(values),
    ];
    return { report, remarks, ...(path !== '-' && { file: path }) };
  });
}

/** What was not checked, and what it needs. */
function missing({ dns, ip, helo }: Values): string[] {
  const needs = [
    ...(dns === undefined ? ['--dns ZONE for everything that is in DNS'] : []),
    ...(ip === undefined ? ['--ip for SPF and reverse DNS'] : []),
    ...(helo === undefined ? ['--helo'] : []),
  ];
  return needs.length > 0
    ? [`Not everything was checked, and the score counts only what was. Add ${needs.join(', ')}.`]
    : [];
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

const readZone = (path: string): string => readOwnFile(path, `The zone file ${path}`).toString();
