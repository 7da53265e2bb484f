/** Builds the steps for TXT records at `_dmarc` that are not DMARC records. */

import { askStep, deleteStep, dnsStep, type Step } from '../advice/actions.ts';
import { isBorrowed } from '../advice/place.ts';
import type { Facts } from '../facts.ts';
import { withAddressesOf } from './correct.ts';
import type { DmarcFacts } from './facts.ts';

/**
 * Returns the steps for texts at the record's name that are not DMARC records. Only their owner knows whether
 * they are needed.
 * @param domain the domain whose record it is
 * @param record the record that earlier steps publish
 */
export function straySteps(
  { strays = [] }: DmarcFacts,
  domain: string,
  record: string,
  facts: Facts,
): readonly Step[] {
  const name = `_dmarc.${domain}`;
  if (strays.length === 0 || isBorrowed(name, facts)) return [];
  const merged = withAddressesOf(record, strays);
  const ignored = `Receivers ignore text at ${name} that is not a DMARC record: ${strays.join(' and ')}.`;
  return merged === record
    ? [
        askStep(`${ignored} Does one of your services need it there? If not, delete it.`),
        deleteStep(name, 'TXT', strays),
      ]
    : [
        askStep(
          `${ignored} Nobody sends reports to the addresses in it. Do you want reports there? If so, publish the record with these addresses; if an address is at another domain, the owner of that domain has to accept your reports. If not, just delete the text.`,
        ),
        dnsStep(name, 'TXT', merged, [record]),
        deleteStep(name, 'TXT', strays),
      ];
}
