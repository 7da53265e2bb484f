import type { DmarcFacts } from './facts.ts';
import { mailHostOf } from './parse.ts';

export type RuaAddress = NonNullable<DmarcFacts['report']['rua']>[number];

export const isMailto = ({ uri }: RuaAddress): boolean => /^mailto:/i.test(uri);

/** Whether reports reach an address; `undefined`: a lookup that decides it did not answer. */
export function isDeliverable(address: RuaAddress): boolean | undefined {
  const { external, authorized, has_mx } = address;
  if (mailHostOf(address.uri) === null || has_mx === false) return false;
  // RFC 9990: a domain elsewhere must say that it takes the reports.
  if (external && authorized === false) return false;
  return has_mx === null || (external && authorized === null) ? undefined : true;
}
