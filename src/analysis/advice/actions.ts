import type { Action } from '../../domain/report/action.ts';
import type { Facts } from '../facts.ts';
import { formatCount } from '../format.ts';
import { aliasOf, isOwnName } from './ownership.ts';

/** An action before it is known what it wins. */
export type Step = Omit<Action, 'points'>;

const nothing = { name: null, type: null, value: null, replaces: [] };

/** Longest record that a step holds, in characters, and the most that it takes away. */
const MAX_RECORD = 4096;
const MAX_REPLACED = 10;

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

/** What only words can say: `value` is the instruction. */
export const wordsStep = (
  kind: Step['kind'],
  value: string,
  owner: Step['owner'] = 'sender',
): Step => ({ ...nothing, owner, kind, operation: 'do', value });

/**
 * A record cannot stand beside a CNAME (RFC 1034 §3.6.2): it is changed at the end of the alias where
 * that is the reader's own name. Else it takes the place of the alias, where only such records stand;
 * a host behind an alias stays.
 */
export function followAlias(step: Step, facts: Facts): readonly Step[] {
  const { kind, name, type } = step;
  const target = kind === 'dns' && name !== null && type !== 'CNAME' && aliasOf(name, facts);
  if (!target || name === null) return [step];
  if (isOwnName(target, facts)) return [{ ...step, name: target }];
  if (!name.startsWith('_'))
    return [
      wordsStep(
        'ask',
        `${name} is an alias (CNAME) of ${target}, so only who holds that name can publish a record for it.`,
        'platform',
      ),
    ];
  return [deleteStep(name, 'CNAME', [target]), { ...step, operation: 'publish', replaces: [] }];
}

/** How a setting is set, in the words of the common servers. */
const SETTINGS: Readonly<Record<string, (value: string) => string>> = {
  helo: (value) => `Set the HELO name to ${value} (Postfix: smtp_helo_name = ${value}).`,
  envelope_domain: (value) =>
    `Set the envelope sender (MAIL FROM) to an address at ${value} (Postfix: myorigin = ${value}).`,
  return_path: (value) =>
    `Use a return path (MAIL FROM) at ${value} or a name under it, with an SPF record that lists your sending service.`,
  'dkim.d': (value) => `Sign with d=${value}.`,
  'dkim.a': (value) => `Set the signing algorithm to ${value} (a=).`,
  'dkim.c': (value) => `Set the canonicalization to ${value} (c=).`,
  'dkim.i': (value) => `Set the signing identity to a name at ${value} (i=), or leave it out.`,
  'dkim.h': (value) => `Add these headers to the ones your signer covers (h=): ${value}.`,
};

const REMOVALS: Readonly<Record<string, string>> = {
  'dkim.l': 'Turn off the body length limit (l=) in your signer (OpenDKIM: BodyLengths no).',
  'dkim.x': 'Let signatures live at least 7 days, or leave x= out.',
  'dkim.t': 'Check the clock of your signer (NTP).',
};

function renderDns({ owner, operation, name, type, value, replaces }: Step): string {
  if (owner === 'address_owner')
    return `Ask the owner of the IP address, usually your hosting provider, to set its reverse name (PTR) to ${value}.`;
  if (operation === 'delete')
    return `Delete the ${type} record at ${name}: ${replaces.join(' and ')}`;
  if (operation === 'publish') return `Publish this ${type} record at ${name}: ${value}`;
  const old =
    replaces.length > 1 ? formatCount(replaces.length, `${type} record`) : `${type} record`;
  return `Replace the ${old} at ${name} with: ${value}`;
}

/** One step as the reader sees it, the record last and on its own. */
export function renderStep(step: Step): string {
  const { kind, operation, name, type, value } = step;
  if (operation === 'do') return value ?? '';
  if (kind === 'dns') return renderDns(step);
  if (kind === 'header')
    return operation === 'remove'
      ? `Remove the header ${name}.`
      : `Set this header: ${name}: ${value}`;
  if (operation === 'publish')
    return `Serve this file at ${name} over https as ${type}, each on its own line: ${value?.trim().replaceAll('\n', ' / ')}`;
  if (operation === 'remove') return REMOVALS[name ?? ''] ?? `Turn off ${name}.`;
  if (operation === 'set' || operation === 'add')
    return SETTINGS[name ?? '']?.(value ?? '') ?? `Set ${name} to ${value}.`;
  return value ?? '';
}
