import { fraudPatterns } from './fraud-patterns.ts';
import { toOneLine } from './plain.ts';

/** Phrases that filters have long known. A weak signal: three of them, or one pattern, count. */
const PHRASES: readonly { readonly id: string; readonly any: readonly string[] }[] = [
  {
    id: 'act_now',
    any: ['act now', 'act immediately', 'jetzt handeln', 'agissez maintenant', 'actúe ahora'],
  },
  {
    id: 'limited_time',
    any: [
      'limited time offer',
      'offer expires today',
      'only a few hours left',
      'nur noch heute',
      'offre limitée',
    ],
  },
  {
    id: 'risk_free',
    any: ['risk free', 'risk-free', 'no risk', 'risikofrei', 'sans risque', 'sin riesgo'],
  },
  {
    id: 'hundred_percent_free',
    any: [
      '100% free',
      '100 % free',
      'totally free',
      '100% kostenlos',
      '100% gratuit',
      '100% gratis',
    ],
  },
  {
    id: 'free_money',
    any: ['free money', 'free cash', 'gratis geld', 'argent gratuit', 'dinero gratis'],
  },
  {
    id: 'guaranteed_income',
    any: [
      'guaranteed income',
      'make money fast',
      'earn money online',
      'work from home and earn',
      'geld verdienen von zu hause',
    ],
  },
  {
    id: 'winner',
    any: [
      'you are a winner',
      'you have been selected',
      'congratulations you won',
      'congratulations, you won',
      'sie haben gewonnen',
      'vous avez gagné',
      'ha ganado',
    ],
  },
  {
    id: 'no_obligation',
    any: ['no obligation', 'no strings attached', 'unverbindlich und kostenlos'],
  },
  {
    id: 'credit_repair',
    any: [
      'bad credit',
      'eliminate debt',
      'consolidate your debt',
      'debt relief now',
      'kredit ohne schufa',
    ],
  },
  {
    id: 'weight_loss',
    any: ['lose weight fast', 'miracle cure', 'fat burner', 'burn fat fast', 'abnehmen ohne'],
  },
  {
    id: 'pharmacy',
    any: [
      'online pharmacy',
      'no prescription',
      'without prescription',
      ...['viagra', 'v1agra', 'vi@gra', 'v!agra', 'cialis', 'c1alis', 'ci@lis'],
      'ohne rezept',
    ],
  },
  { id: 'replica_goods', any: ['replica watches', 'replica rolex', 'luxury replica'] },
  { id: 'casino', any: ['online casino', 'free spins', 'casino bonus', 'no deposit bonus'] },
  {
    id: 'verify_account',
    any: [
      'verify your account',
      'confirm your account details',
      'your account has been suspended',
      'your account will be closed',
      'konto wurde gesperrt',
      'compte a été suspendu',
    ],
  },
  {
    id: 'dear_friend',
    any: ['dear friend', 'dear beneficiary', 'dear valued customer', 'lieber freund'],
  },
  {
    id: 'this_is_not_spam',
    any: ['this is not spam', 'this is not a spam', 'kein spam', "ceci n'est pas un spam"],
  },
  {
    id: 'click_below',
    any: ['click here now', 'click below now', 'click here immediately', 'hier sofort klicken'],
  },
  {
    id: 'order_now',
    any: ['order now while', 'buy now pay later', 'while supplies last', 'call now toll free'],
  },
  {
    id: 'extra_income',
    any: [
      'extra income',
      'additional income',
      'financial freedom',
      'be your own boss',
      'passive income',
    ],
  },
  {
    id: 'unclaimed_reward',
    any: [
      'confirm shipping $1',
      'pay only shipping',
      'your reward is waiting',
      'claim your reward',
    ],
  },
  { id: 'double_your', any: ['double your money', 'double your income', 'double your investment'] },
];

export interface PhraseReading {
  readonly phraseIds: readonly string[];
  readonly patternIds: readonly string[];
}

const isLetter = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char);

/** The phrase stands there as words of its own. Each occurrence is looked at once. */
const holds = (text: string, phrase: string): boolean => {
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + phrase.length])) return true;
  return false;
};

// Most mails hold none, as one pass over the text shows.
const ANY_PHRASE = new RegExp(
  PHRASES.flatMap(({ any }) => any)
    .map((phrase) => RegExp.escape(phrase))
    .join('|'),
);

/** Which phrases and patterns a text holds: by id, never by its words. */
export const readPhrases = (text: string): PhraseReading => {
  const plain = toOneLine(text);
  const holdsAny = (phrases: readonly string[]) => phrases.some((phrase) => holds(plain, phrase));
  const phraseIds = ANY_PHRASE.test(plain)
    ? PHRASES.filter(({ any }) => holdsAny(any)).map(({ id }) => id)
    : [];
  return { phraseIds, patternIds: fraudPatterns(plain) };
};
