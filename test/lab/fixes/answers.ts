/**
 * Plays the owner of a domain, who answers the questions of fixes and does what a fix leaves to people. If
 * both answers are possible, it chooses the one that continues: the reports show no failing email, and nobody
 * else uses what is about to be removed.
 */

import { serverStep, wordsStep } from '../../../src/analysis/advice/actions.ts';
import { reverseName } from '../../../src/analysis/names/host-name.ts';
import type { Action } from '../../../src/domain/report/action.ts';
import type { Finding } from '../../../src/domain/report/report.ts';
import { applyActions, draftOf, textOf } from '../../analysis/whole/apply-actions.ts';
import { applyFix } from '../../analysis/whole/apply-fix.ts';
import { publish, recordsAt, type Situation } from '../../analysis/whole/publish.ts';
import { zoneWith } from '../../analysis/whole/zone.ts';
import { IP } from '../../support/mail/inspection-environment.ts';

/** Returns what is done after one answer, by the text of the question. */
type Answer = (one: Situation, ...parts: readonly string[]) => Situation;

const toActions = (steps: readonly Omit<Action, 'points'>[]): readonly Action[] =>
  steps.map((step) => ({ ...step, points: 0 }));

const ipOf = ({ client }: Situation): string => client?.ip ?? IP;

/** Replaces all texts of one purpose at a name. */
function setText(one: Situation, name: string, value: string): Situation {
  const kept = (recordsAt(one, name).TXT ?? []).filter((text) => isForOther(textOf(text)));
  return publish(one, name, { TXT: [...kept, value] });
}

const isForOther = (text: string): boolean => text.includes('verification');

/** Removes texts that are named in a sentence from a name. */
function without(one: Situation, name: string, named: string): Situation {
  const kept = (recordsAt(one, name).TXT ?? []).filter((text) => !named.includes(textOf(text)));
  return publish(one, name, { TXT: kept });
}

/** Gives the service a return path at the sender's own domain. */
const withReturnPath = (one: Situation): Situation =>
  applyActions(one, toActions([serverStep('return_path', 'example.com')]));

/** Adds the address to the record of the domain. */
function listed(one: Situation, ip: string): Situation {
  const texts = (recordsAt(one, 'example.com').TXT ?? []).map(textOf);
  const TXT = texts.map((text) => text.replace(/^v=spf1 (?!.*ip4:192\.0\.2\.25)/, `$&ip4:${ip} `));
  return publish(one, 'example.com', { TXT });
}

/** Returns the name at the end of its aliases, whose owner does what the reader asks. */
function endOf(one: Situation, name: string): string {
  const held = zoneWith(one.zone)[name];
  const target = typeof held === 'object' ? held.CNAME : undefined;
  return typeof target === 'string' ? endOf(one, target) : name;
}

/** Steps as they are written after "If so:". */
const WRITTEN: readonly (readonly [RegExp, Answer])[] = [
  [
    /^(?:Publish this|Replace the(?: \d+)?) TXT records? at (\S+?):? (?:with: )?(v=.*)$/,
    (one, name = '', value = '') => setText(one, name, value),
  ],
  [
    /^Publish this (A|AAAA) record at (\S+): (\S+)$/,
    (one, type = '', name = '', value = '') =>
      publish(one, name, {
        [type]: [...(recordsAt(one, name)[type as 'A' | 'AAAA'] ?? []), value],
      }),
  ],
  [
    /^Ask the owner of the address, .* to set its reverse name \(PTR\) to: (\S+)$/,
    (one, name = '') => publish(one, reverseName(ipOf(one)) ?? '', { PTR: [name] }),
  ],
  [
    /^Set the HELO name to (\S+) /,
    (one, name = '') => applyActions(one, toActions([serverStep('helo', name)])),
  ],
];

function doWritten(one: Situation, text: string): Situation {
  return text.split('\n').reduce((now, line) => doFirst(now, line, [...WRITTEN, ...WORDS]), one);
}

/** Fixes that are described only in words, for someone who can carry them out. */
const WORDS: readonly (readonly [RegExp, Answer])[] = [
  [
    /^Turn off the web proxy of .* for (\S+), so /,
    (one, name = '') =>
      publish(
        one,
        name,
        ipOf(one).includes(':') ? { A: [], AAAA: [ipOf(one)] } : { A: [ipOf(one)] },
      ),
  ],
  [
    /^Put the display name in quotes/,
    (one) => {
      const mail = draftOf(one);
      const from = (mail.fields.From as string).replace(/^([^"<]+?) </, '"$1" <');
      return { ...one, mail: { ...mail, fields: { ...mail.fields, From: from } } };
    },
  ],
];

const QUESTIONS: readonly (readonly [RegExp, Answer])[] = [
  [
    /^(\S+) is an alias \(CNAME\) of \S+, so only the owner of that name can change its record\. .*: (v=.*)$/,
    (one, name = '', value = '') => setText(one, endOf(one, name), value),
  ],
  [
    /^(\S+) is an alias \(CNAME\) of \S+, which has no such record\. .* publish this TXT record at \S+?: (v=.*)$/,
    (one, name = '', value = '') => setText(one, name, value),
  ],
  [
    /^Is \S+ the same server as \S+, which has (\S+)\? /,
    (one, ip = '') => ({ ...one, client: { ...one.client, ip } }),
  ],
  [
    /^Then have the record at (\S+) changed to: (v=.*)$/,
    (one, name = '', value = '') => setText(one, endOf(one, name), value),
  ],
  [
    /^The name servers of \S+ .* are not those of your domain, .* publish this TXT record at (\S+?)(?: instead of the existing one)?: (v=.*)$/,
    (one, name = '', value = '') => setText(one, name, value),
  ],
  [
    /^Open the DKIM settings of your domain there|^The key there does not match this email/,
    (one) => applyActions(one, toActions([wordsStep('server', '', 'sender', 'dkim.key')])),
  ],
  [/^Many senders share |^Use a return path \(MAIL FROM\) at /, (one) => withReturnPath(one)],
  [
    /^Also sign with your own domain\./,
    (one) => applyActions(one, toActions([serverStep('dkim.d', 'example.com')])),
  ],
  [
    /^\S+ is a NAT64 address, .* Receivers see ([\d.]+)/,
    (one, ip = '') => listed({ ...one, client: { ...one.client, ip } }, ip),
  ],
  [
    /^The name servers of \S+ .* are not those of your domain, .* to publish the record\. .* record at (\S+?)\. /,
    (one, name = '') =>
      applyActions(one, toActions([{ ...wordsStep('dns', ''), name, type: 'TXT' }])),
  ],
  [
    /^Then have the TXT record at (\S+) deleted: (.*)$/,
    (one, name = '', texts = '') => without(one, endOf(one, name), texts),
  ],
  [
    /^The name servers of \S+ .* are not those of your domain, .* delete the TXT record at (\S+): (.*)$/,
    (one, name = '', texts = '') => without(one, name, texts),
  ],
  [
    /^(\S+) is an alias \(CNAME\) of \S+, so only the owner of that name can remove what is wrong there: (.*)$/,
    (one, name = '', texts = '') => without(one, endOf(one, name), texts),
  ],
  [
    /^To test your own setup, send the test email directly/,
    (one) => applyActions(one, toActions([wordsStep('header', '', 'sender', 'Received')])),
  ],
  [/ If so: (.*)$/s, (one, steps = '') => doWritten(one, steps)],
];

function doFirst(
  one: Situation,
  text: string,
  answers: readonly (readonly [RegExp, Answer])[],
): Situation {
  for (const [form, answer] of answers) {
    const [whole, ...parts] = form.exec(text) ?? [];
    if (whole !== undefined) return answer(one, ...parts);
  }
  return one;
}

/**
 * Returns whether a question asks whose server sent the email, or the email was forwarded. A stranger's
 * server is not authorized.
 */
const isAboutServer = (text: string): boolean =>
  / one of your servers, |^Do you send through |^To test your own setup, /.test(text);

/**
 * Returns the result of a fix, with its questions answered and its words followed, or null if nothing
 * changes.
 */
export function doFix(one: Situation, finding: Finding, isStranger: boolean): Situation | null {
  return applyFix(one, finding, (now, { value }) => {
    const text = value ?? '';
    if (isStranger && isAboutServer(text)) return now;
    return doFirst(now, text, [...QUESTIONS, ...WORDS]);
  });
}

const questionsOf = ({ actions = [] }: Finding): readonly string[] =>
  actions.flatMap(({ kind, value }) => (kind === 'ask' ? [value ?? ''] : []));

/** Returns whether a fix only asks to read reports before a policy is raised. */
export const isCareAlone = (finding: Finding): boolean =>
  questionsOf(finding).every((text) => text.startsWith('Read the reports '));

/**
 * Returns whether the rest of a finding is for the operator of a server about which the reader knows nothing.
 */
export const isOfStranger = (finding: Finding): boolean => questionsOf(finding).some(isAboutServer);
