import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { formatCount } from '../format.ts';
import { entryOf, known, type LookupResult, thenLookup, unknown } from '../lookup-result.ts';
import type { LinkFacts } from './facts.ts';

interface Reputation {
  readonly configured: boolean;
  readonly listed: readonly { readonly host: string; readonly threats: readonly string[] }[];
  readonly asked: number;
  /** The mail has more links than were looked at. */
  readonly truncated: boolean;
}

/**
 * One flagged host is enough; a clean bill needs an answer for each name. Addresses are not asked
 * for: `link_ip_host` judges them.
 */
function judgeReputation(
  { webRisk }: Facts,
  { report, truncated }: LinkFacts,
): LookupResult<Reputation> | undefined {
  const names = report.domains.filter(({ ip_literal }) => !ip_literal);
  if (names.length === 0) return undefined;
  const answers = names.map(({ host }) => ({
    host,
    answer: entryOf(webRisk.hosts, host) ?? null,
  }));
  const listed = answers.flatMap(({ host, answer }) =>
    answer && answer.threats.length > 0 ? [{ host, threats: answer.threats }] : [],
  );
  const open = answers.filter(({ answer }) => answer === null).length;
  if (webRisk.configured && listed.length === 0 && open > 0) {
    return unknown(`web risk: no answer for ${open} of ${answers.length} hosts`);
  }
  return known({ configured: webRisk.configured, listed, asked: answers.length, truncated });
}

export const linkReputation = check({
  id: 'link_reputation',
  family: 'linkrep',
  title: 'Link reputation',
  source: 'Google Web Risk uris:search',
  about: {
    what: 'Whether a list of dangerous sites names a domain that the mail links to.',
    why: 'Mail with such a link is refused.',
    how: [
      'Remove the link.',
      'If the domain is yours: clean the site, then ask for a review in Google Search Console.',
    ],
    bad: 'a link to a domain that Google lists as dangerous',
    good: 'links to domains that are not listed',
  },
  subject: (facts) =>
    thenLookup<LinkFacts, Reputation>(facts.links, (links) => judgeReputation(facts, links)),
  states: ({ fail, info, pass }) => ({
    flagged: fail(60, 39).when(
      'a domain is flagged MALWARE / SOCIAL_ENGINEERING / UNWANTED_SOFTWARE',
      ({ listed }) => listed.length > 0,
    ),
    not_checked: info.when('not_checked: no service configured', ({ configured }) => !configured),
    clean: pass('clean'),
  }),
  detail: ({ configured, listed, asked, truncated }) =>
    listed.length > 0
      ? `${listed.map(({ host, threats }) => `${host}: ${threats.join(', ')}`).join('; ')}.`
      : configured
        ? `Clean: ${formatCount(asked, 'host')} of ${truncated ? 'the links and images that were looked at' : 'links and images'}.`
        : 'not_checked: no service is configured.',
  evidence: ({ configured, listed, asked }) => ({
    configured,
    listed: listed.map(({ host }) => host),
    asked,
  }),
  fixes: {
    fix: {
      why: 'Google Web Risk lists {domain} as dangerous, and mail that links there is blocked.',
      do: 'Remove the links, and ask for a review: https://safebrowsing.google.com/safebrowsing/report_error/.',
    },
  },
  values: ({ listed }) => ({ domain: listed.map(({ host }) => host).join(', ') }),
});
