import type { AskFilters } from '../../ports/filters.ts';
import { lintMail } from './lint-mail.ts';
import { createLocator } from './locate.ts';
import { toMailFile } from './read-mail-file.ts';
import { type LintTransaction, mailReader } from './transaction.ts';
import type { DnsSources } from './zone-resolver.ts';

/**
 * Creates the function that judges the bytes of an email file and finds the line of each finding. The options
 * are parsed first, because a mistake in them is not a mistake in the email. An error calls the file `name`.
 */
export function fileJudge(dns: DnsSources, transaction: LintTransaction, askFilters?: AskFilters) {
  const toMail = mailReader(transaction);
  return async (bytes: Uint8Array<ArrayBuffer>, name?: string) => {
    const file = toMailFile(bytes, name);
    const { report, refusal } = await lintMail(toMail(file), dns, askFilters);
    const locate = createLocator(file.bytes, file.firstLine);
    const places = Object.fromEntries(report.findings.map((one) => [one.id, locate(one)]));
    return { report, refusal, places, sender: file.sender, isMarked: file.isMarked };
  };
}
