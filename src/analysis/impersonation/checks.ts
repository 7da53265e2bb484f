/** The check for impersonation, such as a stranger who uses a brand's name or a look-alike domain. */

import { check } from '../check.ts';
import { ifKnown, mapLookup } from '../lookup-result.ts';
import { readsLike } from '../text/phrases.ts';
import type { ImpersonationSign } from './facts.ts';

/** Number of signs of impersonation that must occur together. A single sign may be an accident. */
const SEVERAL = 2;

const FORMS: Readonly<Record<ImpersonationSign['id'], (sign: ImpersonationSign) => string>> = {
  brand_name: ({ shown, real }) =>
    `the display name reads as ${shown}, but the address is at ${real}`,
  brand_domain: ({ shown, real }) => `${real} looks like a domain of ${shown}`,
  brand_link: ({ shown, real }) => `a link shows ${shown} and leads to ${real}`,
  link_domain: ({ shown, real }) =>
    `a link leads to ${real}, which looks like a domain of ${shown}`,
  embedded_domain: ({ shown, real }) => `the host name ${real} begins with ${shown}`,
  near_domain: ({ shown, real }) => `${real} looks like ${shown}`,
  mixed_letters: () => 'a name or the subject mixes letters of several scripts that look alike',
  hidden_letters: () => 'invisible characters split words',
  money_reply: ({ shown, real }) =>
    `it asks for a payment, and replies go to ${shown}, not to ${real}`,
  wording: () => 'its text reads like fraud, and a name, a domain or a link does not match it',
  mail_system: ({ real }) =>
    `it claims to come from the reader's own mail system, but comes from ${real}`,
};

export const impersonation = check({
  id: 'impersonation',
  family: 'impersonation',
  title: 'Signs of impersonation',
  source:
    'Gmail: no deceptive From names; Microsoft: impersonation protection; rspamd PHISHING; UTS #39',
  about: {
    what: 'Some signs make an email look as if it pretends to come from somebody else: a known brand in the name, another domain behind a link.',
    why: 'Phishing filters look for exactly these signs, whatever your reasons are.',
    how: [
      'Send from a domain that belongs to whoever the email speaks for, and link to that domain.',
      'If you write for a brand, ask its mail team for an address at its domain.',
    ],
    bad: 'From: "PayPal Support" <info@example.com>',
    good: 'From: Example Shop <info@example.com>',
  },
  subject: ({ headers }) => mapLookup(headers, ({ impersonation: signs }) => ({ signs })),
  states: ({ fail, warn, pass }) => ({
    several_signs: fail(45, 49).when(
      "at least two signs: the display name of a brand with another domain's address; a From domain that looks like a brand's; a link that shows a brand's domain and leads elsewhere; a link to a domain that looks like a brand's; a host name that begins with another domain; a From domain that looks like that of Reply-To or of the email that it answers, or like its own sender's name; mixed scripts within a word; invisible characters within words; a request for money or a favour whose replies go to somebody else; a text in the name of the reader's own mail system from a domain that cannot be it; wording typical of fraud, together with any of these, with a link that hides its target, in the name of a brand, or without a sender's name. A name and the domain that contains it count as one sign",
      ({ signs }) => signs.length >= SEVERAL,
    ),
    one_sign: warn(14).when('one of them', ({ signs }) => signs.length > 0),
    none: pass('none'),
  }),
  detail: ({ signs }) =>
    signs.length > 0
      ? `Receivers may read this email as an imitation: ${signs.map((sign) => FORMS[sign.id](sign)).join('; ')}.`
      : 'No signs found.',
  evidence: ({ signs }) => ({ signs: signs.map(({ id }) => id) }),
  fix: {
    why: 'Receivers may read this email as an imitation of somebody else.',
    do: 'Send it from a domain that belongs to whoever the email speaks for. Different wording does not change what receivers see.',
  },
  fixes: {
    brand_name: {
      why: 'The display name is that of a brand, but the address is at {sender}, which is not known to belong to the brand. Filters compare the two, and also the text and its links.',
      do: 'If you write for the brand, ask its mail team for an address at its domain and send from there. If you do not write for it, do not send this email.',
    },
    brand_domain: {
      why: 'The From domain {sender} looks like the domain of a brand. Receivers and registrars act against such domains.',
      do: 'Send from a domain that your organization is known by.',
    },
    brand_link: {
      why: 'A link shows the domain of a brand but leads elsewhere.',
      do: 'Link to the domain that is shown.',
    },
    link_domain: {
      why: 'A link leads to a domain that looks like the domain of a brand. Receivers and registrars act against such domains.',
      do: 'Link to a domain that your organization is known by.',
    },
    embedded_domain: {
      why: 'The host name {real} begins with the name of another domain, as in phishing.',
      do: 'Use a host name that contains only the domain of its owner.',
    },
    near_domain: {
      why: 'The From domain {sender} looks almost the same as another domain in this email.',
      do: 'Send from the domain that your readers know.',
    },
    mixed_letters: {
      why: 'The display name or the subject mixes letters of several scripts that look alike.',
      do: 'Write each word in one script.',
    },
    hidden_letters: {
      why: 'Words are split by invisible characters, which looks like a trick to filters.',
      do: 'Remove the invisible characters.',
    },
    money_reply: {
      why: 'The email asks for money or a favour, and replies go to somebody else.',
      do: 'Have replies go to an address at {sender}, and confirm such a request through a channel that your reader already knows.',
    },
    mail_system: {
      why: "The email claims to come from the reader's own mail system, but its domain and links do not belong to that system.",
      do: 'Send it from the domain whose mailboxes you run, and link only to that domain.',
    },
    wording: {
      why: 'The text reads like fraud ({wording}), and a name, a domain or a link in this email belongs to someone other than its sender.',
      do: 'Send it from the domain that belongs to whoever the email speaks for, and have every link lead there. Receivers weigh who sends an email and where its links lead, not how it is worded.',
    },
  },
  cases: ({ signs }) => [...new Set(signs.map(({ id }) => id))],
  values: ({ signs }, { names: { fromDomain }, content }) => ({
    wording: readsLike(ifKnown(content)?.wording ?? []) || 'a request to open or sign a file',
    sender: fromDomain ?? 'your domain',
    real: signs[0]?.real ?? '',
  }),
});
