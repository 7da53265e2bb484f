/** The perfect emails from which the cases of complete emails start, and the states of their checks. */

import { checks } from '../../../src/analysis/checks.ts';
import type { State } from './case.ts';
import { type Draft, letter, newsletter } from './mails.ts';

interface Base {
  readonly mail: () => Draft;
  readonly states: Readonly<Record<string, State>>;
}

/** Returns states in which everything passes except the checks that are named. */
const passing = (others: Readonly<Record<string, State>>): Readonly<Record<string, State>> =>
  Object.fromEntries(
    checks
      .map(({ id, states }): [string, State] => [id, others[id] ?? states.at(-1)?.name ?? ''])
      .filter(([, state]) => state !== 'left out'),
  );

const direct = {
  arc_chain: 'absent',
  dane: 'absent',
  mx_ipv6: 'ipv4_only',
  ns_ipv6: 'ipv4_only',
  inbound_provider_spam: 'left out',
  inbound_verdict_mismatch: 'left out',
  received_chain: 'left out',
  received_times: 'left out',
  received_tls: 'left out',
  mailer_claim: 'left out',
} as const;

/** The emails from which cases start. Each is as good as an email of its kind can be. */
export const bases: Readonly<Record<Draft['base'], Base>> = {
  newsletter: { mail: newsletter, states: passing(direct) },
  letter: {
    mail: letter,
    states: passing({
      ...direct,
      list_unsubscribe: 'not_needed',
      list_unsubscribe_syntax: 'left out',
      one_click: 'left out',
      one_click_signed: 'left out',
      body_unsubscribe: 'not_needed',
      preheader: 'left out',
      image_only: 'left out',
      images_alt: 'left out',
    }),
  },
};
