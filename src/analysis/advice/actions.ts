/**
 * Builds the single steps of a fix, such as publishing a DNS record or changing a server setting, and keeps
 * the number and length of steps within what a report may contain.
 */

import type { Action } from '../../domain/report/action.ts';

/** A step of a fix, before the points that it gains are known. */
export type Step = Omit<Action, 'points'>;

/** A fix that someone other than the reader must make: why, and what to ask them. */
export interface Others {
  readonly owner: Step['owner'];
  readonly why: string;
  readonly ask: string;
}

const nothing = { name: null, type: null, value: null, replaces: [] };

/** Maximum length of the record in a step, in characters. */
const MAX_RECORD = 4096;
const MAX_REPLACED = 10;

/** Maximum length of the name in a step, in characters. The longest names are URLs. */
const MAX_NAME = 1024;

/** Maximum number of steps in a fix. */
const MAX_STEPS = 30;

/**
 * Returns the steps of a fix, cut to the number that a report may contain. A step whose record or name is too
 * long is replaced by a note that says so, because half a record is useless.
 */
export const fitSteps = (steps: readonly Step[]): readonly Step[] =>
  steps
    .slice(0, MAX_STEPS)
    .map((step) =>
      (step.value?.length ?? 0) > MAX_RECORD || (step.name?.length ?? 0) > MAX_NAME
        ? wordsStep(step.kind, 'The name or the value is too long to print here.', step.owner)
        : step,
    );

const cutRecords = (records: readonly string[]): string[] =>
  records.slice(0, MAX_REPLACED).map((record) => record.slice(0, MAX_RECORD));

/**
 * Returns a step that publishes a DNS record, either beside the existing ones or instead of those in
 * `replaces`.
 */
export const dnsStep = (
  name: string,
  type: string,
  value: string,
  replaces: readonly string[] = [],
  owner: Step['owner'] = 'domain_owner',
): Step => ({
  owner,
  kind: 'dns',
  operation: replaces.length > 0 ? 'replace' : 'publish',
  name,
  type,
  value,
  replaces: cutRecords(replaces),
});

export const deleteStep = (name: string, type: string, replaces: readonly string[]): Step => ({
  ...nothing,
  owner: 'domain_owner',
  kind: 'dns',
  operation: 'delete',
  name,
  type,
  replaces: cutRecords(replaces),
});

/**
 * Returns a step that changes a setting of the sending server. If `value` is null, the step turns the setting
 * off.
 */
export const serverStep = (name: string, value: string | null): Step => ({
  ...nothing,
  owner: 'sender',
  kind: 'server',
  operation: value === null ? 'remove' : 'set',
  name,
  value,
});

/**
 * Returns a step that changes a header field of the email. If `value` is null, the step removes the field.
 */
export const headerStep = (name: string, value: string | null): Step => ({
  ...nothing,
  owner: 'sender',
  kind: 'header',
  operation: value === null ? 'remove' : 'set',
  name,
  value,
});

/**
 * Returns a step that can only be described in words. `value` is the instruction, and `name` is the header
 * field or setting that it concerns.
 */
export const wordsStep = (
  kind: Step['kind'],
  value: string,
  owner: Step['owner'] = 'sender',
  name: string | null = null,
): Step => ({ ...nothing, owner, kind, operation: 'do', name, value });

/**
 * Returns a step that creates the mailbox of a report address that a record is about to name. Without the
 * mailbox, the reports would be lost.
 */
export const mailboxStep = (address: string): Step =>
  wordsStep(
    'server',
    `Create the mailbox ${address} if it does not exist yet. The reports will go there.`,
    'domain_owner',
    'mailbox',
  );

/**
 * Returns the step that turns off the web proxy in front of a mail host. A web proxy does not forward email,
 * so the name must resolve to the host itself.
 */
export const withoutProxyStep = (host: string, proxy: string, ip: string | null): Step =>
  wordsStep(
    'server',
    `Turn off the web proxy of ${proxy} for ${host}, so that the name resolves to ${ip ?? 'your mail server'} itself (at Cloudflare: “DNS only”). A web proxy does not forward mail. If a website also uses that name, give the mail server another name.`,
    'domain_owner',
    'proxy',
  );

/** Returns a step that asks a question which must be answered before any other step. */
export const askStep = (value: string, owner: Step['owner'] = 'domain_owner'): Step =>
  wordsStep('ask', value, owner);
