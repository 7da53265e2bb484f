import type { Facts } from '../facts.ts';
import type { DnsName } from '../names/facts.ts';
import { askStep, deleteStep, dnsStep, type Step } from './actions.ts';
import { dnsNameOf, isOwnName } from './ownership.ts';

/**
 * The steps of a fix where they can be done. A name may be an alias, or be answered by a wildcard or by
 * the name servers of somebody else. Whatever an alias leads to does not belong to the alias, and no
 * record can stand beside a CNAME (RFC 1034 §3.6.2).
 */
export function placeSteps(steps: readonly Step[], facts: Facts): readonly Step[] {
  /** Names that the steps so far have given records of their own. */
  const freed = new Set<string>();
  /** Names of others for which it is said already whom to ask. */
  const asked = new Set<string>();
  const placed = steps.flatMap((step) => {
    const { kind, name, type } = step;
    if (kind !== 'dns' || name === null || type === 'CNAME' || freed.has(name)) return [step];
    const at = dnsNameOf(name, facts);
    if (asked.has(name)) return [askAgain(step, name)];
    if (at.delegation) {
      asked.add(name);
      return [askServers(step, at.delegation)];
    }
    if (at.intendedTarget && at.alias) return toIntended(name, at.intendedTarget, at.alias);
    if (at.wildcard) {
      freed.add(name);
      return [
        ...at.wildcard.map(({ type: own, value }) => dnsStep(name, own, value)),
        ...anew(step),
      ];
    }
    if (!at.alias) return [step];
    const { alias } = at;
    if (isEmptyElsewhere(alias, step, at.beside, facts)) {
      asked.add(name);
      return [askService(step, name, alias.end)];
    }
    if (takesPlaceOf(alias, step, name, facts)) {
      freed.add(name);
      const mine = at.beside ? overTexts(step, at.beside) : anew(step);
      return mine.length === 0 ? [] : [deleteStep(name, 'CNAME', [alias.target]), ...mine];
    }
    if (isOwnName(alias.end, facts)) return [atTheEnd(step, name, alias.end)];
    asked.add(name);
    return [askOwner(step, name, alias.end)];
  });
  // The CNAME is put right once, however many records are wanted behind it.
  return placed.filter((step, i) => placed.findIndex((one) => isSame(one, step)) === i);
}

const isSame = (one: Step, other: Step): boolean => JSON.stringify(one) === JSON.stringify(other);

type Alias = NonNullable<DnsName['alias']>;

/** Whether a name is for one purpose, such as `_dmarc` or a key: no host stands there. */
const isPurpose = (name: string): boolean => /^_|\._/.test(name);

/** The CNAME as it was meant. Behind `_dmarc` it brings a policy with it. */
function toIntended(name: string, target: string, alias: Alias): readonly Step[] {
  const step = dnsStep(name, 'CNAME', `${target}.`, [alias.target]);
  return name.startsWith('_dmarc.')
    ? [
        askBeforePolicy(
          target,
          `The alias (CNAME) at ${name} was meant to lead to ${target}, but your DNS panel has added your domain to the target. `,
        ),
        step,
      ]
    : [step];
}

/** What to know before `_dmarc` leads to a policy that has not been in force. */
export const askBeforePolicy = (target: string, why = ''): Step =>
  askStep(
    `${why}Once _dmarc leads to ${target}, the policy published there applies to all your mail at once. Is all of your mail signed, or sent from servers in your SPF record? If so, go on.`,
  );

/** Whether the texts at a name are not its own but those of a domain or host that it leads to. */
export function isBorrowed(name: string, facts: Facts): boolean {
  const { wildcard, intendedTarget, alias } = dnsNameOf(name, facts);
  if (wildcard !== undefined || intendedTarget !== undefined) return true;
  return alias !== undefined && isPurpose(name) && isForAnything(alias, facts);
}

/** The end of an alias is a domain or host of the reader's, with records for many purposes. */
const isForAnything = ({ end }: Alias, facts: Facts): boolean =>
  isOwnName(end, facts) && !isPurpose(end);

/**
 * Whether a record takes the place of an alias. It may where the name is for one purpose alone, and
 * nothing at the end of the alias is there for the same purpose and would be lost.
 */
const takesPlaceOf = (alias: Alias, step: Step, name: string, facts: Facts): boolean =>
  isPurpose(name) && (isForAnything(alias, facts) || step.replaces.length === 0);

/** Whether an alias leads to somebody else, who has no such record there: a set-up may not be finished. */
const isEmptyElsewhere = (
  { end }: Alias,
  { name, replaces }: Step,
  beside: readonly string[] | undefined,
  facts: Facts,
): boolean =>
  isPurpose(name ?? '') && replaces.length === 0 && beside === undefined && !isOwnName(end, facts);

function askService({ operation, type, value }: Step, name: string, end: string): Step {
  const instead =
    operation === 'do'
      ? `delete the CNAME. ${value}`
      : `delete the CNAME and publish this ${type} record at ${name}: ${value}`;
  return askStep(
    `${name} is an alias (CNAME) of ${end}, where no such record is. Does a service of yours publish it there? If so, finish or renew its set-up. If not, ${instead}`,
  );
}

/** A step at a name that has no record of its own yet; nothing is there to be deleted. */
const anew = (step: Step): readonly Step[] =>
  step.operation === 'delete'
    ? []
    : [
        {
          ...step,
          operation: step.operation === 'replace' ? 'publish' : step.operation,
          replaces: [],
        },
      ];

/** A step where texts show once the CNAME that hid them is gone. */
const overTexts = (step: Step, beside: readonly string[]): readonly Step[] =>
  step.operation === 'delete' || step.operation === 'do'
    ? anew(step)
    : [{ ...step, operation: 'replace', replaces: [...beside] }];

/** A record that is the reader's own is changed where it stands. */
const atTheEnd = (step: Step, name: string, end: string): Step => ({
  ...step,
  name: end,
  value: step.value?.replaceAll(name, end) ?? null,
});

/** A record of somebody else: they change it, or the reader publishes one in its place. */
function askOwner({ value, replaces }: Step, name: string, end: string): Step {
  const why = `${name} is an alias (CNAME) of ${end}, so only the owner of that name can`;
  if (!isPurpose(name)) return askStep(`${why} publish a record for it. Ask them.`, 'platform');
  if (value === null)
    return askStep(`${why} remove what is wrong there: ${replaces.join(' and ')}`, 'platform');
  return askStep(
    `${why} change its record. Ask them to, or delete the CNAME and publish the record at ${name} yourself, if you want to keep it up to date from then on: ${value}`,
    'platform',
  );
}

/** What the same owner has to do besides. */
const askAgain = ({ type, value, replaces }: Step, name: string): Step =>
  askStep(
    value === null
      ? `Then have the ${type} record at ${name} deleted: ${replaces.join(' and ')}`
      : `Then have the record at ${name} changed to: ${value}`,
    'platform',
  );

/** Records of a zone that was handed on are changed at its own servers. */
function askServers(
  { operation, name, type, value, replaces }: Step,
  { zone, servers }: NonNullable<DnsName['delegation']>,
): Step {
  const instead = replaces.length > 0 ? ' in place of the one there' : '';
  const what =
    value === null
      ? `delete the ${type} record at ${name}: ${replaces.join(' and ')}`
      : operation === 'do'
        ? `publish the record. ${value}`
        : `publish this ${type} record at ${name}${instead}: ${value}`;
  return askStep(
    `The DNS of ${zone} is at other name servers than your domain's (${servers.join(', ')}), so a record that you enter for it at your own DNS host has no effect. Ask whoever runs them to ${what}`,
    'platform',
  );
}
