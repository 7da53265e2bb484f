import type { ZoneRecords } from '../../environment/dns-zone.ts';
import type { Case, Names } from './case.ts';
import { zoneWith } from './zone.ts';

export type Situation = Omit<Case, 'about' | 'states'>;

export const recordsAt = ({ zone }: Situation, name: string): ZoneRecords => {
  const held = zoneWith(zone)[name];
  return typeof held === 'object' && held.CNAME === undefined ? held : {};
};

/** Records of some types put at a name, in place of those there; DNS knows no case. */
export const publish = (one: Situation, at: string, records: ZoneRecords): Situation => {
  const name = at.toLowerCase();
  return {
    ...one,
    zone: { ...one.zone, [name]: { ...recordsAt(one, name), ...records } } as Names,
  };
};
