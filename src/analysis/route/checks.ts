/** The checks of the route: its length, its loops and its TLS, and of a false mail program. */

import { headerStep, wordsStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { asSeen } from '../definition.ts';
import type { Facts } from '../facts.ts';
import { formatCount, formatList } from '../format.ts';
import { ifKnown, keepIf, type LookupResult, mapLookup } from '../lookup-result.ts';
import type { RouteFacts } from './facts.ts';
import { type RouteStep, serverOf, toRouteSteps } from './steps.ts';

/**
 * Most Received fields that every usual receiver accepts: Sendmail refuses more, Exim from 31, Postfix from
 * 51.
 */
const MAX_HOPS = 25;

type Fault = 'names_us' | 'too_many' | 'circles' | 'impossible' | null;

/** Returns a server that hands the email to the same other server twice. */
function circleOf({ hops }: RouteFacts): string | null {
  const pairs = hops.flatMap(({ from, by }) =>
    from && by && from !== by ? [`${from} → ${by}`] : [],
  );
  return pairs.find((pair, at) => pairs.indexOf(pair) < at) ?? null;
}

function judgeRoute(route: RouteFacts, { connection }: Facts) {
  const { total } = route;
  const circle = circleOf(route);
  const judged = (fault: Fault) => ({ total, circle, fault });
  // Behind a relay, or for a file, a server of the same domain may well have received it.
  if (route.namesUs && connection.tls.status !== 'not_observable') return judged('names_us');
  if (total > MAX_HOPS) return judged('too_many');
  if (circle !== null) return judged('circles');
  return judged(route.hops.some(({ impossible }) => impossible !== null) ? 'impossible' : null);
}

const WHAT = {
  names_us: 'One names a server of this service, which had not taken the mail before.',
  too_many: `The limit of many receivers is ${MAX_HOPS}.`,
  impossible: 'One has no time that can be read, or an address that cannot exist.',
} as const;

export const receivedChain = check({
  id: 'received_chain',
  family: 'headers',
  title: 'Received fields',
  header: 'Received',
  source:
    'RFC 5321 §4.4, §6.3; Sendmail MaxHopCount, Exim received_headers_max, Postfix hopcount_limit',
  about: {
    what: 'Each server that takes a mail writes a Received field above it: together they tell its route.',
    why: 'Receivers end loops by their number, and filters take fields that no server wrote for a sign of spam.',
    how: [
      'Let your servers write these fields, and no program.',
      'Where a mail goes in circles, correct the forwarding or the route that sends it back.',
    ],
    bad: '40 Received fields of the same two servers',
    good: 'app.example.com → mail.example.com → the receiver',
  },
  subject: (facts) =>
    keepIf(
      mapLookup(facts.route, (route) => judgeRoute(route, facts)),
      ({ total }) => total > 0,
    ),
  states: ({ warn, suggest, info, pass }) => ({
    contradicted: warn(2).when(
      'a field says that this service took the mail before',
      ({ fault }) => fault === 'names_us',
    ),
    too_many: warn(2).when(`more than ${MAX_HOPS} fields`, ({ fault }) => fault === 'too_many'),
    circles: suggest.when(
      'one server handed the mail to the same other one twice',
      ({ fault }) => fault === 'circles',
    ),
    odd: info.when(
      'a field without a time that can be read, or with an address that cannot exist',
      ({ fault }) => fault === 'impossible',
    ),
    plausible: pass('nothing speaks against them'),
  }),
  detail: ({ total, circle, fault }) => {
    const said = fault === 'circles' ? `Twice: ${circle}.` : fault && WHAT[fault];
    return [`${formatCount(total, 'Received field')}.`, ...(said ? [said] : [])].join(' ');
  },
  evidence: ({ total, circle, fault }) => ({ fields: total, fault, circle }),
  fix: 'The mail goes in circles between your servers.',
  fixes: {
    names_us:
      'A Received field names a server of this service, which did not take this mail before. Filters take such a field for a forgery.',
    too_many:
      'The mail has {n} Received fields, and many receivers refuse it as a loop from {limit} on.',
  },
  cases: ({ fault }) => asSeen(fault ?? ''),
  values: ({ total }) => ({ n: total, limit: MAX_HOPS + 1 }),
  steps: ({ fault }) => [
    wordsStep(
      'server',
      fault === 'names_us'
        ? 'Send the mail as your program makes it, without Received fields of its own.'
        : 'Find the forwarding, alias or route that sends the mail back, and correct it.',
      'sender',
      'Received',
    ),
  ],
});

export const mailerClaim = check({
  id: 'mailer_claim',
  family: 'headers',
  title: 'Claimed mail program',
  header: 'X-Mailer',
  source: 'SpamAssassin FORGED_MUA_*; rspamd FORGED_MUA_*',
  about: {
    what: 'X-Mailer and User-Agent name the program that wrote a mail. Many programs have a form of their own for Message-IDs and for the boundaries of parts.',
    why: 'Spam software often claims to be a well-known mail program. Filters check that claim: SpamAssassin alone adds 4 of the 5 points at which it rejects.',
    how: ['Remove the field, or let it name the program that you send with.'],
    bad: 'X-Mailer: Microsoft Outlook 16.0, in a mail that a script made',
    good: 'X-Mailer: the program itself, or no such field',
  },
  subject: ({ route, headers }) =>
    keepIf(
      mapLookup(route, ({ falseMailer }) => ({
        falseMailer,
        named: ifKnown(headers)?.mailer ?? null,
      })),
      ({ named }) => named !== null,
    ),
  states: ({ warn, pass }) => ({
    contradicted: warn(6).when(
      'neither the Message-ID nor the boundary is one of the program that the mail names',
      ({ falseMailer }) => falseMailer !== null,
    ),
    plausible: pass('nothing speaks against it'),
  }),
  detail: ({ falseMailer, named }) =>
    falseMailer === null
      ? `${named === 'other' ? 'One that is not known here' : named}.`
      : `The mail names ${falseMailer}, which writes neither such a Message-ID nor such a boundary.`,
  evidence: ({ falseMailer, named }) => ({ named, contradicted: falseMailer !== null }),
  fix: 'The mail says that {mailer} wrote it, and its Message-ID and boundary are of another program. Filters count that as a forgery.',
  values: ({ falseMailer }) => ({ mailer: falseMailer ?? '' }),
  steps: () => [headerStep('X-Mailer', null), headerStep('User-Agent', null)],
});

type Leg = RouteStep & { readonly name: string };

/** Returns the hops over the Internet to a server of the sender's. Only those are theirs to change. */
const ownLegs = (facts: Facts): LookupResult<readonly Leg[]> | undefined =>
  keepIf(
    mapLookup(facts.route, (route) =>
      toRouteSteps(route, facts)
        .map((step, at) => ({ ...step, name: serverOf(step, at) }))
        .filter(({ whose, crossesInternet }) => whose === 'sender' && crossesInternet),
    ),
    (legs) => legs.length > 0,
  );

const inClear = (legs: readonly Leg[]) => legs.filter(({ encrypted }) => encrypted === false);

const logins = (legs: readonly Leg[]) => inClear(legs).filter((leg) => leg.authenticated);

const namesOf = (legs: readonly Leg[]) => formatList([...new Set(legs.map(({ name }) => name))]);

export const receivedTls = check({
  id: 'received_tls',
  family: 'tls',
  title: 'TLS to your own servers',
  source: 'RFC 3848; RFC 8314 §3',
  about: {
    what: 'A Received field says by which protocol its server took the mail: an S in it means TLS.',
    why: 'The last step may be encrypted and an earlier one open to anyone along the way, password and all.',
    how: [
      'Ask for TLS wherever people and programs hand mail to your server: port 465, or 587 with STARTTLS.',
    ],
    bad: 'from app.example.com by mail.example.com with ESMTPA',
    good: 'from app.example.com by mail.example.com with ESMTPSA',
  },
  subject: ownLegs,
  states: ({ suggest, pass }) => ({
    login_in_clear: suggest.when(
      "a login at a server of the sender's without TLS, over the Internet",
      (legs) => logins(legs).length > 0,
    ),
    in_clear: suggest.when(
      "SMTP to a server of the sender's without TLS, over the Internet",
      (legs) => inClear(legs).length > 0,
    ),
    encrypted: pass('every such step was encrypted'),
  }),
  detail: (legs) => {
    const open = inClear(legs);
    return open.length > 0
      ? `Without TLS: to ${namesOf(open)}.`
      : `Encrypted: to ${namesOf(legs)}.`;
  },
  evidence: (legs) => ({
    steps: legs.length,
    in_clear: inClear(legs).map(({ name }) => name),
    logins_in_clear: logins(legs).length,
  }),
  fix: 'The mail came to {servers} over the Internet without TLS.',
  fixes: {
    login: 'Somebody logged in at {servers} over the Internet without TLS.',
  },
  cases: (legs) => (logins(legs).length > 0 ? ['login'] : []),
  values: (legs) => ({ servers: namesOf(inClear(legs)) }),
  steps: () => [
    wordsStep(
      'server',
      'Offer TLS there, and take logins over TLS alone. In Postfix these are smtpd_tls_security_level = may and smtpd_tls_auth_only = yes.',
      'sender',
      'Received',
    ),
  ],
});
