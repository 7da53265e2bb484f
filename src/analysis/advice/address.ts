/**
 * Builds the step that publishes the sending IP at one of the sender's host names, after a question if the
 * server may not be the sender's.
 */

import type { Facts } from '../facts.ts';
import { publicIp } from '../names/host-name.ts';
import { dnsStep, type Step } from './actions.ts';
import { ifOwnServer } from './whose-server.ts';

/**
 * Returns the step that publishes the sending IP as an A or AAAA record at one of the sender's host names.
 * Returns no step if no public IP is known.
 */
export function addressStep(name: string, { names }: Facts): readonly Step[] {
  const ip = publicIp(names.ip);
  return ip === null ? [] : [dnsStep(name, ip.includes(':') ? 'AAAA' : 'A', ip)];
}

/**
 * Returns the same step as `addressStep` if the server belongs to the sender. Otherwise the step first asks
 * whose server it is.
 */
export const nameSteps = (name: string, facts: Facts): readonly Step[] =>
  ifOwnServer(facts, addressStep(name, facts));
