import type { Facts } from '../facts.ts';
import { publicIp } from '../names/host-name.ts';
import { dnsStep, type Step } from './actions.ts';
import { ifOwnServer } from './whose-server.ts';

/**
 * Returns the step that publishes the sending IP at one of the sender's names, or none if the IP was not
 * seen.
 */
export function addressStep(name: string, { names }: Facts): readonly Step[] {
  const ip = publicIp(names.ip);
  return ip === null ? [] : [dnsStep(name, ip.includes(':') ? 'AAAA' : 'A', ip)];
}

/** Like `addressStep` if the server is the sender's. Otherwise the step asks its operator. */
export const nameSteps = (name: string, facts: Facts): readonly Step[] =>
  ifOwnServer(facts, addressStep(name, facts));
