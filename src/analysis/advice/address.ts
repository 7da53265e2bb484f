import type { Facts } from '../facts.ts';
import { publicIp } from '../names/host-name.ts';
import { dnsStep, type Step } from './actions.ts';
import { ifOwnServer } from './whose-server.ts';

/** The record that leads from a name of the sender's to the sending IP; none where the IP is not seen. */
export function addressStep(name: string, { names }: Facts): readonly Step[] {
  const ip = publicIp(names.ip);
  return ip === null ? [] : [dnsStep(name, ip.includes(':') ? 'AAAA' : 'A', ip)];
}

/** The same for a server that is the sender's; of another it is asked about. */
export const nameSteps = (name: string, facts: Facts): readonly Step[] =>
  ifOwnServer(facts, addressStep(name, facts));
