import { wordsStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { formatList } from '../format.ts';
import { keepIf, type LookupResult, mapLookup } from '../lookup-result.ts';
import { serverOf, toWaySteps, type WayStep } from './steps.ts';

type Leg = WayStep & { readonly name: string };

/** The steps over the Internet to a server of the sender's: what others do is not theirs to change. */
const ownLegs = (facts: Facts): LookupResult<readonly Leg[]> | undefined =>
  keepIf(
    mapLookup(facts.way, (way) =>
      toWaySteps(way, facts)
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
    why: 'The last step may be encrypted and an earlier one open to anybody on the way, password and all.',
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
  fixes: {
    fix: { why: 'The mail came to {servers} over the Internet without TLS.' },
    login: { why: 'Somebody logged in at {servers} over the Internet without TLS.' },
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
