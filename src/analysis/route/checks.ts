/**
 * The checks of an email's route (its length, loops, implausible Received fields and TLS), and of the mail
 * program that it names.
 */

import { headerStep, wordsStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { asSeen } from '../definition.ts';
import type { Facts } from '../facts.ts';
import { formatCount, formatList } from '../format.ts';
import { ifKnown, keepIf, type LookupResult, mapLookup } from '../lookup-result.ts';
import type { RouteFacts } from './facts.ts';
import { type RouteStep, serverOf, toRouteSteps } from './steps.ts';

/**
 * Number of Received fields that every common mail server accepts. Sendmail refuses more than 25, Exim more
 * than 30, and Postfix more than 50.
 */
const MAX_HOPS = 25;

type Fault = 'names_us' | 'too_many' | 'circles' | 'impossible' | null;

/** Returns a pair of servers, one of which handed the email to the other twice, or null if there is none. */
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
  // If the email came through a relay or from a file, a server of the same domain may indeed have received
  // it.
  if (route.namesUs && connection.tls.status !== 'not_observable') return judged('names_us');
  if (total > MAX_HOPS) return judged('too_many');
  if (circle !== null) return judged('circles');
  return judged(route.hops.some(({ impossible }) => impossible !== null) ? 'impossible' : null);
}

const WHAT = {
  names_us:
    'A Received field names a server of this service, which had not accepted the email before.',
  too_many: `Many receivers allow at most ${MAX_HOPS}.`,
  impossible: 'A Received field has an unreadable time, or an address that cannot exist.',
} as const;

export const receivedChain = check({
  id: 'received_chain',
  family: 'headers',
  title: 'Received fields',
  header: 'Received',
  source:
    'RFC 5321 §4.4, §6.3; Sendmail MaxHopCount, Exim received_headers_max, Postfix hopcount_limit',
  about: {
    what: 'Each server that accepts an email adds a Received field at the top. Together, the fields show its route.',
    why: 'Receivers count them to stop mail loops, and filters treat fields that no server wrote as a sign of spam.',
    how: [
      'Let only your mail servers write these fields, not your programs.',
      'If mail is looping, fix the forwarding rule or route that sends it back.',
    ],
    bad: '40 Received fields from the same two servers',
    good: 'app.example.com → mail.example.com → the receiver',
  },
  subject: (facts) =>
    keepIf(
      mapLookup(facts.route, (route) => judgeRoute(route, facts)),
      ({ total }) => total > 0,
    ),
  states: ({ warn, suggest, info, pass }) => ({
    contradicted: warn(2).when(
      'a field says that this service accepted the email before',
      ({ fault }) => fault === 'names_us',
    ),
    too_many: warn(2).when(`more than ${MAX_HOPS} fields`, ({ fault }) => fault === 'too_many'),
    circles: suggest.when(
      'one server handed the email to another one twice',
      ({ fault }) => fault === 'circles',
    ),
    odd: info.when(
      'a field with an unreadable time, or with an address that cannot exist',
      ({ fault }) => fault === 'impossible',
    ),
    plausible: pass('no sign of a loop or a forgery'),
  }),
  detail: ({ total, circle, fault }) => {
    const said = fault === 'circles' ? `Twice: ${circle}.` : fault && WHAT[fault];
    return [`${formatCount(total, 'Received field')}.`, ...(said ? [said] : [])].join(' ');
  },
  evidence: ({ total, circle, fault }) => ({ fields: total, fault, circle }),
  fix: 'The email loops between your servers.',
  fixes: {
    names_us:
      'A Received field names a server of this service, which did not accept this email before. Filters treat such a field as a forgery.',
    too_many:
      'The email has {n} Received fields, and many receivers refuse an email with {limit} or more as a loop.',
  },
  cases: ({ fault }) => asSeen(fault ?? ''),
  values: ({ total }) => ({ n: total, limit: MAX_HOPS + 1 }),
  steps: ({ fault }) => [
    wordsStep(
      'server',
      fault === 'names_us'
        ? 'Have your program send the email without adding Received fields.'
        : 'Find the forwarding rule, alias or route that sends the email back, and correct it.',
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
    what: 'X-Mailer and User-Agent name the program that wrote an email. Many programs write Message-IDs and part boundaries in a characteristic form.',
    why: 'Spam software often claims to be a well-known mail program. Filters check that claim: SpamAssassin alone adds up to 4 of the 5 points from which it calls an email spam.',
    how: ['Remove the field, or have it name the program that you really send with.'],
    bad: 'X-Mailer: Microsoft Outlook 16.0   (in an email that a script made)',
    good: '(no X-Mailer, or the name of the real program)',
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
      'neither the Message-ID nor the boundary is in the form of the program that the email names',
      ({ falseMailer }) => falseMailer !== null,
    ),
    plausible: pass('nothing contradicts the claim'),
  }),
  detail: ({ falseMailer, named }) =>
    falseMailer === null
      ? `${named === 'other' ? 'An unrecognized program' : named}.`
      : `The email claims to come from ${falseMailer}, but that program writes its Message-ID and boundary in another form.`,
  evidence: ({ falseMailer, named }) => ({ named, contradicted: falseMailer !== null }),
  fix: 'The email says that {mailer} wrote it, but its Message-ID and boundary come from another program. Filters count that as a forgery.',
  values: ({ falseMailer }) => ({ mailer: falseMailer ?? '' }),
  steps: () => [headerStep('X-Mailer', null), headerStep('User-Agent', null)],
});

type Leg = RouteStep & { readonly name: string };

/**
 * Returns the hops that cross the Internet to one of the sender's own servers. The sender can change only
 * those hops.
 */
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
    what: 'A Received field says over which protocol its server accepted the email. In names such as ESMTPS, the S stands for TLS.',
    why: 'The last step may be encrypted while an earlier one is not. Anyone along the way can then read the email, and the password if somebody logged in.',
    how: [
      'Require TLS wherever people and programs hand mail to your server: on port 465, or on port 587 with STARTTLS.',
    ],
    bad: 'from app.example.com by mail.example.com with ESMTPA',
    good: 'from app.example.com by mail.example.com with ESMTPSA',
  },
  subject: ownLegs,
  states: ({ suggest, pass }) => ({
    login_in_clear: suggest.when(
      "a login without TLS, over the Internet, at one of the sender's servers",
      (legs) => logins(legs).length > 0,
    ),
    in_clear: suggest.when(
      "SMTP without TLS, over the Internet, to one of the sender's servers",
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
  fix: 'The email reached {servers} over the Internet without TLS.',
  fixes: {
    login:
      'The sender logged in at {servers} over the Internet without TLS, so others can read the password.',
  },
  cases: (legs) => (logins(legs).length > 0 ? ['login'] : []),
  values: (legs) => ({ servers: namesOf(inClear(legs)) }),
  steps: () => [
    wordsStep(
      'server',
      'Offer TLS there, and accept logins only over TLS. In Postfix, set smtpd_tls_security_level = may and smtpd_tls_auth_only = yes.',
      'sender',
      'Received',
    ),
  ],
});
