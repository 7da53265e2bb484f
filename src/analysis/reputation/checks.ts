import { check } from '../check.ts';
import { known, type LookupResult, mapLookup, thenLookup } from '../lookup-result.ts';
import { isPool } from './shared-pool.ts';

/** Left out where SpamCop has no list: IPv6 and private addresses. */
export const spamcopListed = check({
  id: 'spamcop_listed',
  family: 'reputation',
  title: 'SpamCop blocklist',
  source: 'bl.spamcop.net',
  about: {
    what: 'SpamCop is a blocklist of addresses that people reported for spam.',
    why: 'Many servers refuse mail from listed addresses.',
    how: [
      'Find the mail that was reported and stop it: a bought list, an old list, or a broken-into account.',
      'The listing ends by itself about a day after the last report.',
    ],
    bad: '192.0.2.25 is listed at bl.spamcop.net',
    good: '192.0.2.25 is not listed',
  },
  subject: (facts) =>
    thenLookup(
      facts.connection.spamcop,
      (state): LookupResult<'own' | 'pool' | 'clean'> | undefined => {
        if (state === 'not_applicable') return undefined;
        if (state === 'not_listed') return known('clean');
        return mapLookup(isPool(facts), (pool) => (pool ? 'pool' : 'own'));
      },
    ),
  states: ({ fail, warn, pass }) => ({
    listed: fail(25, 59).when(
      'listed (exactly 127.0.0.2), and the IP is not of a known shared sending pool',
      (state) => state === 'own',
    ),
    shared_pool_listed: warn(4).when(
      'listed, and a forward-confirmed name of the IP belongs to a known large shared pool: the provider owns the IP',
      (state) => state === 'pool',
    ),
    not_listed: pass('not listed'),
  }),
  detail: (state, { connection: { ip } }) =>
    state === 'clean'
      ? `${ip} is not listed.`
      : `${ip} is listed${state === 'pool' ? '; it belongs to a shared sending pool' : ''}.`,
  evidence: (state, { connection: { ip } }) => ({
    ip,
    listed: state !== 'clean',
    shared_pool: state === 'pool',
  }),
  fixes: {
    fix: {
      why: 'SpamCop lists {ip} because people reported mail from it. The listing ends by itself about 24 hours after the last report: https://www.spamcop.net/bl.shtml.',
      do: 'Find and stop that mail.',
    },
    pool: {
      why: 'SpamCop lists {ip}, an address of a shared pool. The listing ends by itself about 24 hours after the last report: https://www.spamcop.net/bl.shtml.',
      do: 'Ask your provider for another pool or an address of your own.',
    },
  },
  cases: (state) => (state === 'pool' ? ['pool'] : []),
});

export const SEND_AS_OWN = 'Send from an address at a domain that you own and that takes mail.';
