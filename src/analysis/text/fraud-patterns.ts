/** A sum in millions, or one of many digits, with a currency beside it. */
const FORTUNE = String.raw`\b\d[\d.,]{0,15} ?(?:million|mio|millionen|millones|millions?)\b|(?:[$€£]|\b(?:usd|eur|gbp|us\$)) ?\d{1,3}(?:[.,]\d{3}){1,4}|\b\d{1,3}(?:[.,]\d{3}){2,4} ?(?:usd|eur|gbp|dollars|euros?|pounds)`;

/** What such letters want of their reader. */
const ASKS = String.raw`confidential|strictly between|full name|bank account|contact (?:me|our|the|my) |reply (?:to|with|me)|\d{1,2} ?% (?:is |will be )?for you|kontaktieren|vertraulich|confidentiel|confidencial`;

/**
 * Patterns of fraud that filters have rules for: one of every group in the same mail. The groups together
 * are what only such a letter says; a notice about them names them, and asks for nothing.
 */
const PATTERNS: readonly { readonly id: string; readonly all: readonly string[] }[] = [
  {
    id: 'lottery',
    all: [
      String.raw`\blotter(?:y|ie|ies)\b|\blotto\b|sweepstakes|\bjackpot\b|prize draw|euro ?millions|mega ?millions|powerball|loter[ií]a|\bloterij\b|лотере`,
      String.raw`(?:e-?mail|e-?mail address|id|number|ticket) (?:has |was |is )?(?:won|selected|drawn|picked)|you (?:have )?won|winning (?:number|notification)|claim your (?:prize|winnings|fund)|sie haben gewonnen|vous avez gagné|gagnant|ha ganado`,
      String.raw`confidential|strictly between|(?:claims?|paying|our|my) agent|full name|processing fee|western union`,
    ],
  },
  {
    id: 'advance_fee',
    all: [
      String.raw`next of kin|died and left|(?:late|deceased) (?:client|customer|husband|father|president|minister)|customer died|inheritance|unclaimed (?:fund|sum)|abandoned (?:fund|sum)|foreign account|\berbschaft\b|héritage|herencia`,
      FORTUNE,
      ASKS,
    ],
  },
  {
    id: 'wire',
    all: [
      'next of kin|inheritance|beneficiary|million dollars|million usd|million euros|unclaimed fund|erbschaft|héritage',
      'western union|moneygram|bank transfer fee|transfer (?:of )?the fund|your bank account details|money transfer opportunity|to a foreign account',
    ],
  },
  {
    id: 'extortion',
    all: [
      String.raw`\bi (?:have )?(?:hacked|infected|recorded)\b|\bi(?: have|'ve)? (?:full )?access to your (?:device|computer|camera|account)|i am a hacker|ich habe (?:sie|dich) .{0,40}(?:aufgenommen|gefilmt)|j'ai (?:piraté|enregistré)|he (?:hackeado|grabado)`,
      String.raw`bitcoin|\bbtc\b|crypto|monero|wallet`,
      String.raw`\bsend\b|\bpay\b|transfer|überweis|envoyez|env[ií]a|\d+ ?(?:hours|stunden|heures|horas)`,
    ],
  },
  {
    id: 'loan',
    all: [
      'do you need (?:a |an )?(?:urgent )?loan|loan offer|we (?:lend|give|offer) .{0,40}(?:loan|from [$€£]?[0-9])|brauchen sie (?:einen )?kredit',
      'without credit check|no credit check|bad credit|ohne schufa',
      'send (?:your |us )?(?:full )?name|reply with|contact us|send .{0,30}amount|loan@',
    ],
  },
  {
    id: 'prize_fee',
    all: [
      "you(?:'ve| have) been (?:selected|chosen)|congratulations|you are (?:the|our) winner",
      String.raw`(?:confirm|pay|cover) .{0,20}(?:shipping|delivery|fee)|shipping (?:fee )?[$€£]\d`,
      'reward|prize|gift|selected|free',
    ],
  },
  {
    id: 'stock',
    all: [
      String.raw`to the moon|huge news|will explode|before it is too late|buy before|target (?:price )?[$€£]?\d`,
      String.raw`penny stock|stock alert|\.ob\b|\botc\b|[a-z]{3,5}\.pk\b`,
    ],
  },
  {
    id: 'drugs',
    all: [
      'viagra|v1agra|cialis|c1alis|xanax|tramadol|oxycontin|ozempic',
      '(?:no|without|ohne|sin|sans) (?:a )?(?:prescription|rezept|receta|ordonnance)|lowest prices? guaranteed|cheap(?:est)? (?:meds|pills)',
    ],
  },
  {
    id: 'replica',
    all: [
      'replica|1:1 quality|aaa\\+? quality',
      'rolex|omega|breitling|louis vuitton|gucci|watches|handbags',
    ],
  },
  {
    id: 'crypto',
    all: [
      'bitcoin|ethereum|usdt|cryptocurrency|crypto wallet|crypto trading',
      'double your|guaranteed return|guaranteed profit|daily profit|seed phrase|recovery phrase|send bitcoin|pay in bitcoin|to this wallet',
    ],
  },
];

const COMPILED = PATTERNS.map(({ id, all }) => ({
  id,
  all: all.map((one) => new RegExp(one, 'u')),
}));

/** Such letters are short: how much of a text is read, in characters. */
const MAX_TEXT = 20_000;

/** The patterns that a text holds, which is plain and on one line: by id. */
export const fraudPatterns = (plain: string): readonly string[] =>
  COMPILED.filter(({ all }) => all.every((one) => one.test(plain.slice(0, MAX_TEXT)))).map(
    ({ id }) => id,
  );
