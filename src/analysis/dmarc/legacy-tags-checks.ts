import { check } from '../check.ts';
import { formatFound } from '../format.ts';
import { dmarcFixes, used } from './checks.ts';
import { tagOf } from './correct.ts';
import type { DmarcFacts } from './facts.ts';
import { recordDomain } from './record.ts';

/** A size limit after a report address: removed by RFC 9990. */
const SIZE_SUFFIX = /![0-9]+[kmgt]?\s*(?:,|$)/i;

/** `pct=` as a number; one that cannot be read is read as 100, as receivers do. */
const pctOf = ({ tags }: DmarcFacts): number | undefined => {
  const pct = tagOf(tags, 'pct');
  return pct === undefined ? undefined : /^\d{1,3}$/.test(pct) ? Number(pct) : 100;
};

const legacyOf = ({ tags }: DmarcFacts): readonly string[] => [
  ...['pct', 'rf', 'ri'].flatMap((name) => {
    const value = tagOf(tags, name);
    return value === undefined ? [] : [`${name}=${value}`];
  }),
  ...['rua', 'ruf']
    .filter((name) => SIZE_SUFFIX.test(tagOf(tags, name) ?? ''))
    .map((name) => `!size in ${name}=`),
];

export const dmarcLegacyTags = check({
  id: 'dmarc_legacy_tags',
  family: 'dmarc',
  gate: 'dmarc_record',
  title: 'Obsolete DMARC tags',
  source: 'RFC 9989 §A.6',
  about: {
    what: 'Some tags of DMARC are no longer used, such as pct=, rf= and ri=.',
    why: 'Receivers that follow the new standard ignore them, others do not: your policy then differs from one to the next.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'Remove the tags that the report names.',
    ],
    bad: '"v=DMARC1; p=reject; pct=50; rf=afrf"',
    good: '"v=DMARC1; p=reject"',
  },
  subject: used,
  states: ({ warn, suggest, pass }) => ({
    pct_below_100: warn(1).when(
      'pct= below 100 (older readers apply it, RFC 9989 ignores it)',
      (dmarc) => (pctOf(dmarc) ?? 100) < 100,
    ),
    obsolete: suggest.when(
      'pct=100, rf, ri or a !size suffix',
      (dmarc) => legacyOf(dmarc).length > 0,
    ),
    current: pass('none'),
  }),
  detail: (dmarc) => formatFound(legacyOf(dmarc)),
  evidence: (dmarc) => ({ tags: legacyOf(dmarc) }),
  fixes: {
    fix: { why: 'Your DMARC record has tags that receivers no longer use.', do: 'Leave them out.' },
    pct: {
      why: 'Most receivers ignore pct={pct} and apply your policy to all mail already; a few older ones will do so too without it.',
    },
  },
  cases: (dmarc) => ((pctOf(dmarc) ?? 100) < 100 ? ['pct'] : []),
  values: (dmarc) => ({ pct: pctOf(dmarc) ?? 100 }),
  ...dmarcFixes,
});

export const dmarcInherited = check({
  id: 'dmarc_inherited',
  family: 'dmarc',
  gate: 'dmarc_record',
  title: 'Where the DMARC policy comes from',
  source: 'RFC 9989 §4.10',
  about: {
    what: 'A subdomain without a DMARC record of its own has the policy of the domain above it.',
    why: 'That is usually right. It matters if the subdomain is used by another team or platform than the main domain.',
    how: [
      'Nothing has to be done. Publish a record at the subdomain only if it needs another policy.',
    ],
    bad: 'news.example.com sends, with a policy at example.com that fits only the main domain',
    good: '_dmarc.news.example.com  TXT  "v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com"',
  },
  subject: used,
  states: ({ info, pass }) => ({
    inherited: info.when(
      'policy comes from the organizational domain',
      ({ inherited }) => inherited,
    ),
    own: pass('record at the From domain'),
  }),
  detail: (dmarc, facts) => `The policy comes from _dmarc.${recordDomain(dmarc, facts)}.`,
  evidence: ({ inherited, ...dmarc }, facts) => ({
    inherited,
    record_domain: recordDomain({ inherited, ...dmarc }, facts),
  }),
  fixes: {
    fix: {
      why: 'The policy for {from_domain} comes from the record of its organization.',
      do: 'There is nothing to do, unless {from_domain} needs a policy of its own.',
    },
  },
});
