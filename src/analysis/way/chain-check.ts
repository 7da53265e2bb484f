import { wordsStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { asSeen } from '../definition.ts';
import type { Facts } from '../facts.ts';
import { formatCount } from '../format.ts';
import { keepIf } from '../lookup-result.ts';
import type { WayFacts } from './facts.ts';

/** Received fields that every usual receiver takes: Sendmail refuses more, Exim from 31, Postfix from 51. */
const MAX_HOPS = 25;

type Fault = 'names_us' | 'too_many' | 'circles' | 'impossible' | null;

/** A server that hands the mail to the same other one twice. */
function circleOf({ hops }: WayFacts): string | null {
  const pairs = hops.flatMap(({ from, by }) =>
    from && by && from !== by ? [`${from} → ${by}`] : [],
  );
  return pairs.find((pair, at) => pairs.indexOf(pair) < at) ?? null;
}

function faultOf(way: WayFacts, { connection }: Facts): Fault {
  // Behind a relay, and of a file, a server of the same domain may well have taken it.
  if (way.namesUs && connection.tls.status !== 'not_observable') return 'names_us';
  if (way.total > MAX_HOPS) return 'too_many';
  if (circleOf(way) !== null) return 'circles';
  return way.hops.some(({ impossible }) => impossible !== null) ? 'impossible' : null;
}

const WHAT = {
  names_us: 'One of them names a server of this service, which had not taken the mail before.',
  too_many: `The limit of many receivers is ${MAX_HOPS}.`,
  impossible: 'One of them has no time that can be read, or an address that cannot exist.',
} as const;

export const receivedChain = check({
  id: 'received_chain',
  family: 'headers',
  title: 'Received fields',
  header: 'Received',
  source:
    'RFC 5321 §4.4, §6.3; Sendmail MaxHopCount, Exim received_headers_max, Postfix hopcount_limit',
  about: {
    what: 'Each server that takes a mail writes a Received field above it: together they tell its way.',
    why: 'Receivers end loops by their number, and filters take fields that no server wrote for a sign of spam.',
    how: [
      'Let your servers write these fields, and no program.',
      'Where a mail goes in circles, correct the forwarding or the route that sends it back.',
    ],
    bad: '40 Received fields of the same two servers',
    good: 'app.example.com → mail.example.com → the receiver',
  },
  subject: ({ way }) => keepIf(way, ({ total }) => total > 0),
  states: ({ warn, suggest, info, pass }) => ({
    contradicted: warn(2).when(
      'a field says that this service took the mail before',
      (way, facts) => faultOf(way, facts) === 'names_us',
    ),
    too_many: warn(2).when(
      `more than ${MAX_HOPS} fields`,
      (way, facts) => faultOf(way, facts) === 'too_many',
    ),
    circles: suggest.when(
      'one server handed the mail to the same other one twice',
      (way, facts) => faultOf(way, facts) === 'circles',
    ),
    odd: info.when(
      'a field without a time that can be read, or with an address that cannot exist',
      (way, facts) => faultOf(way, facts) === 'impossible',
    ),
    plausible: pass('nothing speaks against them'),
  }),
  detail: (way, facts) => {
    const fault = faultOf(way, facts);
    const circle = circleOf(way);
    const said = fault === 'circles' ? `Twice: ${circle}.` : fault && WHAT[fault];
    return [`${formatCount(way.total, 'Received field')}.`, ...(said ? [said] : [])].join(' ');
  },
  evidence: (way, facts) => ({
    fields: way.total,
    fault: faultOf(way, facts),
    circle: circleOf(way),
  }),
  fixes: {
    fix: { why: 'The mail goes in circles between your servers.' },
    names_us: {
      why: 'A Received field names a server of this service, which did not take this mail before. Filters take such a field for a forgery.',
    },
    too_many: {
      why: 'The mail has {n} Received fields, and many receivers refuse it as a loop from {limit} on.',
    },
  },
  cases: (way, facts) => asSeen(faultOf(way, facts) ?? ''),
  values: ({ total }) => ({ n: total, limit: MAX_HOPS + 1 }),
  steps: (way, facts) => [
    wordsStep(
      'server',
      faultOf(way, facts) === 'names_us'
        ? 'Send the mail as your program makes it, without Received fields of its own.'
        : 'Find the forwarding, alias or route that sends the mail back, and correct it.',
      'sender',
      'Received',
    ),
  ],
});
