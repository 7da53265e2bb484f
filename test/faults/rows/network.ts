/**
 * Lists the faults in which connections to the log or to the chain node are cut or slow, or the DNS does not
 * answer.
 */

import type { DnsFault } from '../../environment/dns-zone.ts';
import { SALE, SOME } from '../client/plan.ts';
import type { Fault } from '../fault.ts';

const dns = (name: string, fault: DnsFault): Fault => ({
  name: `DNS ${name}`,
  kind: 'outage',
  apply({ environment }) {
    environment.dns?.setFault('*', fault);
    return () => environment.dns?.setFault('*', null);
  },
});

/** The connections between the parts are cut, or slow. */
export const network: readonly Fault[] = [
  {
    name: 'cut a replica off from its log',
    kind: 'outage',
    plans: SOME,
    shows: [/503 log_unavailable|SMTP 451/, /^status 200/],
    apply({ replicas }, random) {
      const { gate } = random.pick(replicas);
      gate?.cut();
      return () => gate?.open();
    },
  },
  {
    name: 'a log that answers late',
    kind: 'outage',
    apply({ replicas }) {
      for (const { gate } of replicas) gate?.delay(150);
      return () => {
        for (const { gate } of replicas) gate?.open();
      };
    },
  },
  dns('does not answer', 'TIMEOUT'),
  dns('fails', 'SERVFAIL'),
  {
    name: 'a node that is away',
    kind: 'lie',
    plans: [SALE],
    shows: [/502 facilitator_unavailable/],
    attempts: 3,
    apply({ node }) {
      node.fail(() => 'cut');
      return () => node.fail();
    },
  },
];
