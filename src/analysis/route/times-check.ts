/** The check of the times in Received fields, for wrong clocks and long waits. */

import { wordsStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { formatCount, formatElapsed } from '../format.ts';
import { keepIf, type LookupResult, mapLookup } from '../lookup-result.ts';
import type { RouteFacts } from './facts.ts';
import { type RouteStep, serverOf, toRouteSteps } from './steps.ts';

/** Maximum difference between the clocks of two servers that use NTP, in seconds. */
const MAX_SKEW_SECONDS = 5 * 60;

/** Maximum time that an email spends in a server without being queued there, in seconds. */
const MAX_WAIT_SECONDS = 60 * 60;

interface Times {
  readonly steps: readonly RouteStep[];
  /** A sentence about clocks that disagree. Null if they agree. */
  readonly clocks: string | null;
  /** True if one of the wrong clocks may be the sender's. */
  readonly own: boolean;
  /** The sender's server in which the email waited. Null if it did not wait. */
  readonly wait: { readonly at: string; readonly seconds: number } | null;
}

function readTimes(route: RouteFacts, facts: Facts): Times {
  const steps = toRouteSteps(route, facts);
  const arrival = Date.parse(facts.receivedAt);
  const isOwn = (...some: readonly (RouteStep | undefined)[]) =>
    some.some((step) => step?.whose === 'sender');

  const wait = steps.flatMap(({ delaySeconds }, at) => {
    const before = steps[at - 1];
    return before?.whose === 'sender' && (delaySeconds ?? 0) > MAX_WAIT_SECONDS
      ? [{ at: serverOf(before, at - 1), seconds: delaySeconds ?? 0 }]
      : [];
  })[0];
  const agree = { steps, clocks: null, own: false, wait: wait ?? null };

  const secondsAhead = ({ at }: RouteStep) => (at ? (Date.parse(at) - arrival) / 1000 : 0);
  const ahead = steps.findIndex((step) => secondsAhead(step) > MAX_SKEW_SECONDS);
  const early = steps[ahead];
  if (early !== undefined) {
    const by = formatElapsed(secondsAhead(early));
    return {
      ...agree,
      clocks: `The clock of ${serverOf(early, ahead)} is ${by} ahead.`,
      own: isOwn(early),
    };
  }
  const back = steps.findIndex(({ delaySeconds }) => (delaySeconds ?? 0) < -MAX_SKEW_SECONDS);
  const [before, after] = [steps[back - 1], steps[back]];
  if (before === undefined || after === undefined) return agree;
  const by = formatElapsed(-(after.delaySeconds ?? 0));
  const between = `${serverOf(before, back - 1)} and ${serverOf(after, back)}`;
  return {
    ...agree,
    clocks: `Between ${between} the time goes backwards by ${by}: one of their clocks is wrong.`,
    own: isOwn(before, after),
  };
}

export const receivedTimes = check({
  id: 'received_times',
  family: 'headers',
  title: 'Times on the route',
  header: 'Received',
  source: 'RFC 5321 §4.4, RFC 5322 §3.6.7; SpamAssassin DATE_IN_*; rspamd DATE_IN_FUTURE',
  about: {
    what: 'Each server on the route records when it accepted the email.',
    why: 'These times show where an email waited and whose clock is wrong. Filters compare them with the Date header.',
    how: [
      'Have the clock of every server set automatically (NTP).',
      'If an email waited, look in the queue and the log of that server.',
    ],
    bad: 'accepted at 10:00 by the first server and at 9:40 by the next',
    good: 'each server a second or two after the one before',
  },
  subject: (facts): LookupResult<Times> | undefined => {
    const route = keepIf(facts.route, ({ hops }) => hops.some(({ at }) => at !== null));
    return route && mapLookup(route, (value) => readTimes(value, facts));
  },
  states: ({ suggest, info, pass }) => ({
    own_clock: suggest.when(
      `one of the sender's clocks and another clock differ by more than ${MAX_SKEW_SECONDS / 60} minutes`,
      ({ clocks, own }) => clocks !== null && own,
    ),
    waited: suggest.when(
      "more than an hour at one of the sender's servers",
      ({ clocks, wait }) => clocks === null && wait !== null,
    ),
    other_clock: info.when(
      'the clocks of other servers differ by as much',
      ({ clocks }) => clocks !== null,
    ),
    in_order: pass('the times follow each other'),
  }),
  detail: ({ steps, clocks, wait }) => {
    if (clocks !== null) return clocks;
    if (wait !== null) return `The email waited ${formatElapsed(wait.seconds)} at ${wait.at}.`;
    return `${formatCount(steps.length, 'step')}, in order.`;
  },
  evidence: ({ steps, clocks, wait }) => ({
    steps: steps.length,
    clocks_agree: clocks === null,
    waited_at: wait?.at ?? null,
    waited_seconds: wait?.seconds ?? null,
  }),
  fix: '{clocks}',
  fixes: {
    waited: 'The email waited {waited} at {server} before it went on.',
  },
  cases: ({ clocks }) => (clocks === null ? ['waited'] : []),
  values: ({ clocks, wait }) => ({
    clocks: clocks ?? '',
    waited: formatElapsed(wait?.seconds ?? 0),
    server: wait?.at ?? '',
  }),
  steps: ({ clocks }) => [
    wordsStep(
      'server',
      clocks === null
        ? 'Look for the reason in the queue and the log of that server, unless the email was scheduled to be sent later.'
        : 'Have the clock of your server set automatically (NTP).',
      'sender',
      'Received',
    ),
  ],
});
