import { type DnsOptions, dnsSources } from './dns-options.ts';
import { lintMail } from './lint-mail.ts';
import { createLocator } from './locate.ts';
import { toMailFile } from './read-mail-file.ts';
import { type LintTransaction, mailReader } from './transaction.ts';

/** Judges the bytes of a file, and says where each finding is in it. */
export async function lintFile(
  bytes: Uint8Array<ArrayBuffer>,
  dns: DnsOptions,
  transaction: LintTransaction,
) {
  const file = toMailFile(bytes);
  const { report, refusal } = await lintMail(mailReader(transaction)(file), dnsSources(dns));
  const locate = createLocator(file.bytes, file.firstLine);
  return {
    report,
    refusal,
    places: Object.fromEntries(report.findings.map((one) => [one.id, locate(one)])),
  };
}
