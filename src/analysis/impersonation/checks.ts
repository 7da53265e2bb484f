import { defineCheck } from '../define-check.ts';
import { ifKnown, mapLookup } from '../lookup-result.ts';
import type { ImpersonationSign } from '../mail-facts.ts';
import { wordingValues } from '../text/fraud-rules.ts';

/** Signs that agree: one alone may be an accident. */
const SEVERAL = 2;

const FORMS: Readonly<Record<ImpersonationSign['id'], (sign: ImpersonationSign) => string>> = {
  brand_name: ({ shown, real }) => `the display name reads as ${shown}, the address is at ${real}`,
  brand_domain: ({ shown, real }) => `${real} is written like a domain of ${shown}`,
  brand_link: ({ shown, real }) => `a link shows ${shown} and leads to ${real}`,
  embedded_domain: ({ shown, real }) => `${real} begins like ${shown}`,
  near_domain: ({ shown, real }) => `${real} is written like ${shown}`,
  mixed_letters: () => 'a name or the subject mixes letters of several scripts that look alike',
  hidden_letters: () => 'invisible characters split words',
  money_reply: ({ shown, real }) =>
    `it speaks of a payment, and answers go to ${shown}, not to ${real}`,
  wording: () => 'its text reads like fraud, and a name, a domain or a link does not fit it',
  mail_system: ({ real }) => `it speaks as the reader's own mail system, and comes from ${real}`,
};

export const impersonation = defineCheck({
  id: 'impersonation',
  subject: ({ headers }) => mapLookup(headers, ({ impersonation: signs }) => ({ signs })),
  ladder: [
    ['fail', ({ signs }) => signs.length >= SEVERAL],
    ['warn', ({ signs }) => signs.length > 0],
  ],
  detail: ({ signs }) =>
    signs.length > 0
      ? `Receivers will read this as somebody else's mail: ${signs.map((sign) => FORMS[sign.id](sign)).join('; ')}.`
      : 'No sign found.',
  fixes: ({ signs }) => [...new Set(signs.map(({ id }) => id))],
  values: ({ signs }, { names: { fromDomain }, content }) => ({
    ...wordingValues(ifKnown(content)?.wording ?? []),
    sender: fromDomain ?? 'your domain',
    real: signs[0]?.real ?? '',
  }),
});
