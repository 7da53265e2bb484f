/** Builds the steps that ask whoever controls a name to change it: the owner of an alias, or a zone's servers. */

import { organizationalDomain } from '../names/domain-names.ts';
import type { DnsName } from '../names/facts.ts';
import { askStep, type Step } from './actions.ts';

/** Returns what a step asks for, as the end of a sentence with the record last. */
export const stepInWords = (
  { operation, name, type, value, replaces }: Step,
  instead = '',
): string => {
  if (value === null) return `delete the ${type} record at ${name}: ${replaces.join(' and ')}`;
  return operation === 'do'
    ? `publish the record. ${value}`
    : `publish this ${type} record at ${name}${instead}: ${value}`;
};

/**
 * Returns the step for a host that needs a record but is an alias of someone else's name (RFC 1034 §3.6.2). At
 * a domain itself, the alias has to go, because a domain always has other records.
 * @param needed asks for the record that the name needs, as the end of a sentence
 */
export const askAtAlias = (name: string, end: string, needed: string): Step =>
  organizationalDomain(name) === name
    ? askStep(
        `${name} is an alias (CNAME) of ${end}, and no other record can exist at the name of a CNAME. Ask your DNS host to replace the CNAME with the addresses of ${end} (A and AAAA records, or an ALIAS record if your DNS host offers one). Then ${needed}`,
      )
    : askStep(
        `${name} is an alias (CNAME) of ${end}, so only the owner of that name can publish a record for it. Ask them, or use another name under your domain that is not an alias.`,
        'platform',
      );

/** Returns a step that asks the same owner for another change. */
export const askAgain = ({ type, value, replaces }: Step, name: string): Step =>
  askStep(
    value === null
      ? `Then have the ${type} record at ${name} deleted: ${replaces.join(' and ')}`
      : `Then have the record at ${name} changed to: ${value}`,
    'platform',
  );

/** Returns a step that asks whoever runs the name servers of a delegated zone to change its records. */
export function askServers(
  step: Step,
  { zone, servers }: NonNullable<DnsName['delegation']>,
): Step {
  const what = stepInWords(step, step.replaces.length > 0 ? ' instead of the existing one' : '');
  return askStep(
    `The name servers of ${zone} (${servers.join(', ')}) are not those of your domain, so a record that you enter at your own DNS host has no effect there. Ask whoever runs those name servers to ${what}`,
    'platform',
  );
}
