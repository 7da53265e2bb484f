/** Reads and replaces DNS records in the zone of a case. */

import type { ZoneRecords } from '../../environment/dns-zone.ts';
import type { Case, Names } from './case.ts';
import { zoneWith } from './zone.ts';

export type Situation = Omit<Case, 'about' | 'states'>;

export const recordsAt = ({ zone }: Situation, name: string): ZoneRecords => {
  const held = zoneWith(zone)[name];
  return typeof held === 'object' && held.CNAME === undefined ? held : {};
};

/** Replaces the records of some types at a name. DNS names are not case-sensitive. */
export const publish = (one: Situation, at: string, records: ZoneRecords): Situation => {
  const name = at.toLowerCase();
  return {
    ...one,
    zone: { ...one.zone, [name]: { ...recordsAt(one, name), ...records } } as Names,
  };
};
