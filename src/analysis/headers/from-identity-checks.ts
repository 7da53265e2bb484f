/**
 * Defines the checks on who an email claims to be from: the display name, a From domain of a freemail
 * provider, and look-alike letters in the From domain.
 */

import { goesToMany } from '../advice/audience.ts';
import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { formatId } from '../format.ts';
import { keepIf, thenLookup } from '../lookup-result.ts';
import type { FieldFacts } from './facts.ts';
import { freemail } from './from-header-check.ts';

/** Returns the header facts if From is usable. Otherwise `from_header` has already reported the reason. */
const withFrom = ({ headers }: Facts) => keepIf(headers, ({ from }) => from.fault === null);

/** Words for the things that a fix asks to remove from the display name, keyed by fault. */
const UNWANTED: Readonly<Record<string, string>> = {
  address: 'the address',
  domain: 'the domain',
  direction_override: 'the direction override',
  zero_width: 'the zero-width characters',
};

export const fromDisplayName = check({
  id: 'from_display_name',
  family: 'identity',
  title: 'From display name',
  header: 'From',
  source: 'Gmail: no deceptive From names; SpamAssassin FROMNAME_SPOOF',
  about: {
    what: 'The display name is the name before the address in From.',
    why: 'A name that looks like another address or company is a sign of phishing.',
    how: ["Use your name or your company's, without an address and without symbols."],
    bad: 'From: "service@bank.example" <x@example.com>',
    good: 'From: Example Shop <shop@example.com>',
  },
  subject: withFrom,
  states: ({ warn, suggest, pass }) => ({
    deceptive: warn(5).when(
      'another domain or an address, a direction override, or zero-width characters',
      ({ from }) => from.displayName.faults.length > 0,
    ),
    missing: suggest.when(
      'no display name, or only the address',
      ({ from }) => !from.displayName.present,
    ),
    fine: pass('ok'),
  }),
  detail: ({ from: { displayName } }) => {
    if (displayName.faults.length > 0)
      return `The display name contains: ${displayName.faults.map(formatId).join(', ')}.`;
    return displayName.present
      ? 'Nothing is wrong with the display name.'
      : 'No display name, or only the address.';
  },
  evidence: ({ from: { displayName } }) => ({
    present: displayName.present,
    faults: displayName.faults,
  }),
  fix: {
    why: 'Readers look at the display name first, and this one could mislead them or is missing.',
    do: "Use only your name or your company's as the display name{without}.",
  },
  values: ({ from: { displayName } }) => ({
    without: displayName.faults
      .map((fault) => `, without ${UNWANTED[fault] ?? formatId(fault)}`)
      .join(''),
  }),
});

export const fromDomainFreemail = check({
  id: 'from_domain_freemail',
  family: 'identity',
  title: 'Own domain in From',
  header: 'From',
  source: 'Gmail all-sender rule',
  about: {
    what: 'Mail with a From address at gmail.com, outlook.com and the like must be sent by that provider.',
    why: 'Most of these domains have a strict DMARC policy, so receivers refuse mail that uses them but comes from elsewhere.',
    how: [
      'Send from an address at a domain you own.',
      'Put the address at the free email provider into Reply-To if you want replies to go there.',
    ],
    bad: 'From: myshop@gmail.com   (sent by your web server)',
    good: 'From: shop@example.com\nReply-To: myshop@gmail.com',
  },
  subject: (facts) => {
    const from = withFrom(facts);
    return from && thenLookup(from, (value) => freemail(facts, value));
  },
  states: ({ fail, suggest, info, pass }) => ({
    not_sent_by_it: fail(8).when(
      'From is at a free email provider, and that provider did not send the email',
      (state) => state === 'forged',
    ),
    sent_by_it: suggest.when(
      'sent by the free email provider itself, to many readers',
      (state, facts) => state === 'itself' && goesToMany(facts),
    ),
    private: info.when('sent by the free email provider itself', (state) => state === 'itself'),
    own_domain: pass('own domain'),
  }),
  fix: {
    why: 'Your From address is at a free email provider, but that provider did not send the email, so the email cannot be authenticated.',
    do: 'Send from an address at a domain you own.',
  },
  fixes: {
    itself:
      'Your From address is at a free email provider, which limits how much you may send and whose DNS records you cannot change.',
  },
  cases: (state) => (state === 'itself' ? ['itself'] : []),
  detail: (state, { names: { fromDomain } }) =>
    state === 'own'
      ? `${fromDomain} is not a free email provider's domain.`
      : `${fromDomain} is a free email provider's domain; the email was ${state === 'itself' ? '' : 'not '}sent by it.`,
  evidence: (state, { names: { fromDomain } }) => ({
    from_domain: fromDomain,
    freemail: state !== 'own',
    sent_by_it: state === 'own' ? null : state === 'itself',
  }),
});

export const fromDomainLookalike = check({
  id: 'from_domain_lookalike',
  family: 'impersonation',
  title: 'Letters of the From domain',
  header: 'From',
  source: 'UTS #39; RFC 5891',
  about: {
    what: 'A domain can mix letters from several scripts that look the same, such as a Latin a and a Cyrillic а.',
    why: 'Receivers treat such names as imitations of other domains.',
    how: ['Send from a domain written in a single script, preferably plain ASCII.'],
    bad: 'pаypal.example   (the second letter is Cyrillic)',
    good: 'example.com',
  },
  subject: withFrom,
  states: ({ warn, info, pass }) => ({
    mixed_scripts: warn(14).when(
      'mixed-script IDN label, or punycode homograph',
      ({ from }) => from.idn === 'suspicious',
    ),
    one_script: info.when('IDN single script', ({ from }) => from.idn === 'single_script'),
    ascii: pass('ASCII'),
  }),
  detail: ({ from: { idn } }, { names: { fromDomain } }) => `${fromDomain} is ${LETTERS[idn]}.`,
  evidence: ({ from: { idn } }, { names: { fromDomain } }) => ({
    from_domain: fromDomain,
    letters: idn,
  }),
  fix: {
    why: 'The domain {from_domain} mixes letters that look alike, and receivers will read it as an imitation of another domain.',
    do: 'Send from a domain written in a single script, preferably ASCII.',
  },
});

const LETTERS: Readonly<Record<FieldFacts['from']['idn'], string>> = {
  ascii: 'ASCII',
  single_script: 'an internationalized name in one script',
  suspicious: 'a name of mixed or look-alike letters',
};
