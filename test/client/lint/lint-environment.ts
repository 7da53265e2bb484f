/** Runs `deliverability lint` on an email with a zone file, for tests. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Report } from '../../../src/domain/report/report.ts';
import { keyRecord } from '../../analysis/whole/keys.ts';
import { type Fields, letter, signMail } from '../../analysis/whole/mails.ts';
import type { Signature } from '../../analysis/whole/sign.ts';
import { playCommand } from '../../support/command/played-console.ts';

/** The records of a correct sender, one per line, as `dig +noall +answer` prints them. */
export const records = {
  spf: 'example.com. 300 IN TXT "v=spf1 ip4:192.0.2.25 -all"',
  mx: 'example.com. 300 IN MX 10 mail.example.com.',
  key: `s1._domainkey.example.com. 300 IN TXT "${keyRecord.slice(0, 200)}" "${keyRecord.slice(200)}"`,
  dmarc: '_dmarc.example.com. 300 IN TXT "v=DMARC1; p=reject; rua=mailto:dmarc@example.com"',
  host: 'mail.example.com. 300 IN A 192.0.2.25',
  ptr: '25.2.0.192.in-addr.arpa. 300 IN PTR mail.example.com.',
} as const;

export const SOA =
  'example.com. 300 IN SOA ns1.provider.example. hostmaster.example.com. 1 7200 3600 1209600 300';

/** Returns the lines of a zone file, with some of them changed and more at its end. */
export const zone = (
  changes: Partial<Record<keyof typeof records, string | null>> = {},
  ...more: readonly string[]
): string =>
  [...Object.values({ ...records, ...changes }).filter((line) => line !== null), ...more, ''].join(
    '\n',
  );

export interface LintRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly report: Report;
  /** Returns the severity of a finding, `unknown`, or undefined where the check does not apply. */
  readonly stands: (id: string) => string | undefined;
}

interface Job {
  /** The text of the file for `--dns`, or null for none. */
  readonly dns: string | null;
  readonly fields?: Fields;
  readonly signatures?: readonly Signature[];
  readonly from?: string;
  readonly args?: readonly string[];
}

/** Runs `lint` with this zone file on a correct email from a known server. */
export async function lintWith(job: Job): Promise<LintRun> {
  const { dns, fields = {}, signatures, from = 'news@example.com', args = [] } = job;
  const folder = mkdtempSync(join(tmpdir(), 'lint-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, 'latin1');
    return join(folder, name);
  };
  const mail = write('mail.eml', signMail(letter(fields), signatures));
  const line = [
    ...['lint', mail, '--ip=192.0.2.25', '--helo=mail.example.com', `--from=${from}`],
    ...(dns === null ? [] : [`--dns=${write('zone', dns)}`]),
    ...args,
  ];
  const played = await playCommand(line);
  const json = await playCommand([...line, '--format=json', '--fail-on=never']);
  const report = (json.stdout === '' ? {} : JSON.parse(json.stdout)) as Report;
  const stands = (id: string) => {
    const finding = report.findings.find((one) => one.id === id);
    return finding?.checked === false ? 'unknown' : finding?.severity;
  };
  return { ...played, report, stands };
}
