import type { Action } from '../../domain/report/action.ts';

/** An action before it is known what it wins. */
export type Step = Omit<Action, 'points'>;

/** A fix that only somebody else can make: why, and what to ask them. */
export interface Others {
  readonly owner: Step['owner'];
  readonly why: string;
  readonly ask: string;
}

const nothing = { name: null, type: null, value: null, replaces: [] };

/** Longest record that a step holds, in characters, and the most that it takes away. */
const MAX_RECORD = 4096;
const MAX_REPLACED = 10;

/** Longest name: a URL, at most. */
const MAX_NAME = 1024;

/** Steps that a fix has, at most. */
const MAX_STEPS = 30;

/** As many steps as a report holds. Half a record is no record: what is too long is left out as a whole. */
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

/** A record beside others; with `replaces`, in their place. */
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

/** A setting of the sending server; `value` null: it is turned off. */
export const serverStep = (name: string, value: string | null): Step => ({
  ...nothing,
  owner: 'sender',
  kind: 'server',
  operation: value === null ? 'remove' : 'set',
  name,
  value,
});

/** A header of the mail; `value` null: it is taken away. */
export const headerStep = (name: string, value: string | null): Step => ({
  ...nothing,
  owner: 'sender',
  kind: 'header',
  operation: value === null ? 'remove' : 'set',
  name,
  value,
});

/** What only words can say: `value` is the instruction, `name` the header or setting it is about. */
export const wordsStep = (
  kind: Step['kind'],
  value: string,
  owner: Step['owner'] = 'sender',
  name: string | null = null,
): Step => ({ ...nothing, owner, kind, operation: 'do', name, value });

/** A mailbox that a record is about to name: one that nobody reads is of no use there. */
export const mailboxStep = (address: string): Step =>
  wordsStep(
    'server',
    `Create the mailbox ${address}, if you do not have it: reports go to it.`,
    'domain_owner',
    'mailbox',
  );

/** A web proxy passes no mail: the name of a mail host has to lead past it. */
export const withoutProxyStep = (host: string, proxy: string, ip: string | null): Step =>
  wordsStep(
    'server',
    `Turn off the web proxy of ${proxy} for ${host}, so that the name leads to ${ip ?? 'your mail server'} itself (at Cloudflare: “DNS only”). A proxy passes web traffic and no mail. If a website uses that name too, give the mail server another one.`,
    'domain_owner',
    'proxy',
  );

/** What has to be known or decided first. */
export const askStep = (value: string, owner: Step['owner'] = 'domain_owner'): Step =>
  wordsStep('ask', value, owner);
