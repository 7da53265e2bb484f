/**
 * Moves the steps of a fix to the DNS names where they can be carried out, or asks whoever controls those
 * names, if an alias, a wildcard or other name servers stand in the way.
 */

import { isAddress } from '../addresses.ts';
import type { Facts } from '../facts.ts';
import type { DnsName } from '../names/facts.ts';
import { isPurpose } from '../names/host-name.ts';
import { webProxyOf } from '../names/web-proxies.ts';
import { askStep, deleteStep, dnsStep, type Step } from './actions.ts';
import { askAgain, askAtAlias, askServers, stepInWords } from './ask-owner.ts';
import { delegationOf, dnsNameOf, isOwnName } from './ownership.ts';

/**
 * Returns the steps of a fix, moved to the names where they can be carried out. A name may be an alias, or
 * its answers may come from a wildcard or from someone else's name servers. The target of an alias may belong
 * to someone else, and no record can exist beside a CNAME (RFC 1034 §3.6.2).
 */
export function placeSteps(steps: readonly Step[], facts: Facts): readonly Step[] {
  /** Names at which an earlier step has already replaced an alias or wildcard with separate records. */
  const freed = new Set<string>();
  /** Names for which an earlier step already says whom to ask. */
  const asked = new Set<string>();
  const placed = steps.flatMap((step) => {
    const { kind, name, type } = step;
    if (kind !== 'dns' || name === null || type === 'CNAME' || freed.has(name)) return [step];
    const at = dnsNameOf(name, facts);
    if (asked.has(name)) return [askAgain(step, name)];
    const delegation = delegationOf(name, facts);
    if (delegation) {
      asked.add(name);
      return [askServers(step, delegation)];
    }
    if (at.intendedTarget && at.alias) return toIntended(name, at.intendedTarget, at.alias);
    if (at.wildcard) {
      freed.add(name);
      return keepInherited(at.wildcard, anew(step), step, name);
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
  // A CNAME is changed only once, however many records are needed behind it.
  const texts = placed.map((step) => JSON.stringify(step));
  return placed.filter((_, i) => texts.indexOf(texts[i] ?? '') === i);
}

type Alias = NonNullable<DnsName['alias']>;

/**
 * Returns the steps that keep what a name inherits from a wildcard, which no longer answers for the name once
 * it has a record of its own (RFC 4592 §2.2.1). A mail host that gets an address needs nothing else from a
 * wildcard.
 */
function keepInherited(
  inherited: NonNullable<DnsName['wildcard']>,
  steps: readonly Step[],
  { type, replaces }: Step,
  name: string,
): readonly Step[] {
  if (isAddressType(type)) return steps;
  const proxy = webProxyOf(inherited.flatMap((one) => (isAddressType(one.type) ? one.value : [])));
  const kept = inherited.filter((one) => {
    if (one.type === 'TXT') return !replaces.includes(one.value);
    return one.type !== type && !(proxy !== undefined && isAddressType(one.type));
  });
  return [
    ...(proxy === undefined ? [] : [askAboutWebsite(name, proxy)]),
    ...kept.map((one) => dnsStep(name, one.type, one.value)),
    ...steps,
  ];
}

const isAddressType = (type: string | null): boolean => type === 'A' || type === 'AAAA';

/** Returns a question about a name that a wildcard leads to a web proxy, whose addresses are not to be copied. */
const askAboutWebsite = (name: string, proxy: string): Step =>
  askStep(
    `${name} points to ${proxy} only through a wildcard record, which no longer applies once the name has its own record. Does a website use ${name}? If so, first add a record for ${name} in your DNS panel with the same target and proxy setting as those of the wildcard.`,
  );

/**
 * Returns the steps that publish a CNAME with the target that its owner intended. At `_dmarc`, the corrected
 * CNAME also puts a policy into force.
 */
function toIntended(name: string, target: string, alias: Alias): readonly Step[] {
  const step = dnsStep(name, 'CNAME', `${target}.`, [alias.target]);
  return name.startsWith('_dmarc.')
    ? [
        askBeforePolicy(
          target,
          `The alias (CNAME) at ${name} was meant to point to ${target}, but your DNS panel has added your domain to the target. `,
        ),
        step,
      ]
    : [step];
}

/** Returns the question to answer before `_dmarc` leads to a policy that was not in force before. */
export const askBeforePolicy = (target: string, why = ''): Step =>
  askStep(
    `${why}Once _dmarc points to ${target}, the policy published there immediately applies to all your mail. Is all of your mail signed, or sent from servers in your SPF record? If so, continue.`,
  );

/**
 * Returns whether the texts found at a name really belong to another domain or host, to which the name leads
 * through an alias, a mistyped alias or a wildcard.
 */
export function isBorrowed(name: string, facts: Facts): boolean {
  const { wildcard, intendedTarget, alias } = dnsNameOf(name, facts);
  if (wildcard !== undefined || intendedTarget !== undefined) return true;
  return alias !== undefined && isPurpose(name) && isForAnything(alias, facts);
}

/**
 * Returns whether an alias ends at one of the reader's own domains or hosts, whose TXT records serve many
 * purposes.
 */
const isForAnything = ({ end }: Alias, facts: Facts): boolean =>
  isOwnName(end, facts) && !isPurpose(end);

/**
 * Returns whether a record should replace an alias. An alias is replaced only at a name that serves a single
 * purpose, and only if no record for that purpose at the end of the alias would be lost.
 */
const takesPlaceOf = (alias: Alias, step: Step, name: string, facts: Facts): boolean =>
  isPurpose(name) && (isForAnything(alias, facts) || step.replaces.length === 0);

/**
 * Returns whether an alias leads to someone else's name that does not have the required record. If so, the
 * setup of a service may be unfinished. An IP address is nobody's name.
 */
const isEmptyElsewhere = (
  { end }: Alias,
  { name, replaces }: Step,
  beside: readonly string[] | undefined,
  facts: Facts,
): boolean =>
  isPurpose(name ?? '') &&
  replaces.length === 0 &&
  beside === undefined &&
  !isAddress(end) &&
  !isOwnName(end, facts);

function askService({ operation, type, value }: Step, name: string, end: string): Step {
  const instead =
    operation === 'do'
      ? `delete the CNAME. ${value}`
      : `delete the CNAME and publish this ${type} record at ${name}: ${value}`;
  return askStep(
    `${name} is an alias (CNAME) of ${end}, which has no such record. Does one of your services publish it there? If so, finish or renew the setup of that service. If not, ${instead}`,
  );
}

/**
 * Returns the step for a name that does not have a record of its own yet. Nothing needs to be deleted or
 * replaced there.
 */
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

/** Returns the step for a name at which other texts appear once the CNAME that hid them is deleted. */
const overTexts = (step: Step, beside: readonly string[]): readonly Step[] =>
  step.operation === 'delete' || step.operation === 'do'
    ? anew(step)
    : [{ ...step, operation: 'replace', replaces: [...beside] }];

/** Returns a step that changes the reader's own record at the end of an alias, where it is published. */
const atTheEnd = (step: Step, name: string, end: string): Step => ({
  ...step,
  name: end,
  value: step.value?.replaceAll(name, end) ?? null,
});

/**
 * Returns a step that asks the owner of someone else's record to change it, or that lets the reader publish a
 * record of their own instead.
 */
function askOwner(step: Step, name: string, end: string): Step {
  const { value, replaces } = step;
  if (!isPurpose(name)) return askAtAlias(name, end, stepInWords(step));
  const why = `${name} is an alias (CNAME) of ${end}, so only the owner of that name can`;
  if (value === null)
    return askStep(`${why} remove what is wrong there: ${replaces.join(' and ')}`, 'platform');
  return askStep(
    `${why} change its record. Ask them to. Or, to maintain the record yourself from then on, delete the CNAME and publish this record at ${name}: ${value}`,
    'platform',
  );
}
