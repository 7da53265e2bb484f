/** Builds the steps of fixes. */

import type { Action } from '../../domain/report/action.ts';

/** An action whose gain in points is not yet known. */
export type Step = Omit<Action, 'points'>;

/** A fix that only someone else can make: why, and what to ask them. */
export interface Others {
  readonly owner: Step['owner'];
  readonly why: string;
  readonly ask: string;
}

const nothing = { name: null, type: null, value: null, replaces: [] };

/** Longest record, in characters. */
const MAX_RECORD = 4096;
const MAX_REPLACED = 10;

/** Longest name, in characters. The longest names are URLs. */
const MAX_NAME = 1024;

/** Most steps of a fix. */
const MAX_STEPS = 30;

/**
 * Returns as many steps as a report may contain. A record that is too long is left out completely, because
 * half a record is useless.
 */
export const fitSteps = (steps: readonly Step[]): readonly Step[] =>
  steps
    .slice(0, MAX_STEPS)
    .map((step) =>
      (step.value?.length ?? 0) > MAX_RECORD || (step.name?.length ?? 0) > MAX_NAME
        ? wordsStep(step.kind, 'What to write here is too long to print.', step.owner)
        : step,
    );

const cutRecords = (records: readonly string[]): string[] =>
  records.slice(0, MAX_REPLACED).map((record) => record.slice(0, MAX_RECORD));

/** Returns a step that publishes a record beside others, or in place of those in `replaces`. */
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

/** Returns a step that changes a setting of the sending server. A null `value` turns it off. */
export const serverStep = (name: string, value: string | null): Step => ({
  ...nothing,
  owner: 'sender',
  kind: 'server',
  operation: value === null ? 'remove' : 'set',
  name,
  value,
});

/** Returns a step that changes a header field of the email. A null `value` removes it. */
export const headerStep = (name: string, value: string | null): Step => ({
  ...nothing,
  owner: 'sender',
  kind: 'header',
  operation: value === null ? 'remove' : 'set',
  name,
  value,
});

/**
 * Returns a step that only words can describe. `value` is the instruction, and `name` the header field or
 * setting that it is about.
 */
export const wordsStep = (
  kind: Step['kind'],
  value: string,
  owner: Step['owner'] = 'sender',
  name: string | null = null,
): Step => ({ ...nothing, owner, kind, operation: 'do', name, value });

/**
 * Returns a step that creates a mailbox which a record is about to name. An address that nobody reads is
 * useless there.
 */
export const mailboxStep = (address: string): Step =>
  wordsStep(
    'server',
    `Create the mailbox ${address} if it does not exist yet: the reports go there.`,
    'domain_owner',
    'mailbox',
  );

/**
 * Returns the step that takes a mail host out from behind a web proxy. A proxy does not forward email, so the
 * name must resolve to the host itself.
 */
export const withoutProxyStep = (host: string, proxy: string, ip: string | null): Step =>
  wordsStep(
    'server',
    `Turn off the web proxy of ${proxy} for ${host}, so that the name resolves to ${ip ?? 'your mail server'} itself (at Cloudflare: “DNS only”). A web proxy does not pass mail. If a website uses that name too, give the mail server another name.`,
    'domain_owner',
    'proxy',
  );

/** Returns a step for something that must be known or decided first. */
export const askStep = (value: string, owner: Step['owner'] = 'domain_owner'): Step =>
  wordsStep('ask', value, owner);
