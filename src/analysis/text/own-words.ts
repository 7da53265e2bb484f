/** Leaves out of a text what its author does not say on their own behalf: quotations, warnings and notices. */

/** Matches words that people use when they warn about fraud, but not `this is no scam`. */
const OF_FRAUDS =
  /(?<!\b(?:no|not an?|n't an?|kein|keine|pas une?|no es una?|non è una?|geen) )\b(?:phishing(?:-?\p{L}+)?|phishers?|scams?(?! victims)|scammers?|fraudsters|attackers|criminals|betrugs-?(?:mail|versuch|masche|nachricht)\p{L}*|betrüger(?:n|innen)?|hameçonnage|escrocs?|arnaques?|estafador(?:es)?|estafas?|truffator[ei]|truff[ae]|oplichters?|oplichting|oszu[sś](?:ci|tów|t)|burl(?:ões|as?))\b|(?<!\p{L})(?:dolandırıcı|oltalama|podvod|bedräger|мошенни|фишинг)|詐欺|フィッシング|诈骗|詐騙|钓鱼|釣魚|피싱|사기(?:꾼|범|수법| 메일|에 주의)|احتيال/u;

/** Returns whether a plain text warns about fraud. */
export const warnsOfFraud = (plain: string): boolean => OF_FRAUDS.test(plain);

const QUOTATION =
  /"[^"]{1,400}"|“[^”]{1,400}”|„[^“”]{1,400}[“”]|«[^»]{1,400}»|‘[^’]{20,400}’|「[^」]{1,400}」|『[^』]{1,400}』/g;

export const withoutQuotations = (plain: string): string => plain.replace(QUOTATION, ' ');

/** Returns a text without the lines that it quotes of another email, unless it has no others. */
export function ownLinesOf(text: string): string {
  const own = text.split('\n').filter((line) => !line.startsWith('>'));
  return own.some((line) => /\p{L}/u.test(line)) ? own.join('\n') : text;
}

/** Matches the line above an email that is forwarded or answered: words between dashes, in any language. */
const DIVIDER = /^\s*-{2,}\s*\p{L}[^-]{3,60}-{2,}\s*$/u;

/** Matches a line with the name and the value of a header field, as it is shown above such an email. */
const FIELD_LINE = /^\s*\*?\p{L}[\p{L} ]{0,20}\*?\s?[:：]\*?\s*\S/u;

/**
 * Number of lines with fields that show the head of another email: after a line of dashes, and without one.
 */
const MIN_DIVIDED = 2;
const MIN_FIELDS = 3;

/**
 * Returns the position at which a text begins to quote another email below its own. A head without a line of
 * dashes counts only in an email that answers or forwards another.
 */
export function quotedFrom(text: string, isReplyOrForward: boolean): number | null {
  let at = 0;
  let start: number | null = null;
  let wanted = MIN_FIELDS;
  let fields = 0;
  for (const line of text.split('\n')) {
    if (FIELD_LINE.test(line) && (start !== null || isReplyOrForward)) {
      start ??= at;
      fields += 1;
      if (fields >= wanted) return start;
    } else if (line.trim() !== '') {
      const isDivider = DIVIDER.test(line);
      start = isDivider ? at : null;
      wanted = isDivider ? MIN_DIVIDED : MIN_FIELDS;
      fields = 0;
    }
    at += line.length + 1;
  }
  return null;
}

/** Returns the source of a pattern that matches any of the words, separated by `|`. */
const anyOf = (words: string): string => `(?<!\\p{L})(?:${words})(?!\\p{L})`;

const CONFIDENTIAL = '(?:confiden|vertraulich|riservat|poufn|vertrouwelijk)';
const THIS = anyOf('this|diese[rs]?|ces?|cet|este|esta|questo|questa|deze|dit|ta');
const MESSAGE = anyOf(
  'e-?mail|message|nachricht|courriel|courrier|correo|mensaje|messaggio|comunicazione|bericht|wiadomość|mensagem',
);
const IS = anyOf(
  'is|may|contains|ist|kann|enthält|est|peut|contient|es|puede|contiene|è|può|bevat|kan|jest|zawiera|é|contém',
);
const WE = anyOf('we|wir|nous|nosotros|noi|wij|my|nós');
const DATA = anyOf('data|details|information|daten|données|datos|dati|gegevens|dane|dados');

/** Matches a statement that an email, or what is known about its reader, is confidential. */
const NOTICE = new RegExp(
  `^(?=.*${CONFIDENTIAL}).*(?:${THIS}[^,]{0,20}${MESSAGE}[^,]{0,30}${IS}|${WE}.{0,80}${DATA})`,
  'u',
);

/** Matches an offer to answer questions. */
const OFFER_OF_HELP =
  /\bif you have (?:any )?(?:further |other |more )?questions?\b|\b(?:bei|für) (?:rück)?fragen\b|\bwenn sie (?:noch |weitere )?fragen haben\b|\bsi vous avez (?:des |une |d'autres )?questions?\b|\bpour toute question\b|\bsi tiene (?:alguna )?(?:dudas?|preguntas?)\b|\bper (?:qualsiasi|eventuali|ulteriori) (?:domand|chiariment|informazion)|\b(?:als|mocht) u (?:nog )?vragen\b|\bw razie pytań\b|\bse tiver (?:alguma )?(?:dúvida|quest)/u;

/**
 * Returns a text without the sentences that warn about fraud, call the email confidential, or only offer to
 * answer questions. The text must be plain and on one line.
 */
export function ownWordsOf(plain: string): string {
  const text = warnsOfFraud(plain) ? withoutQuotations(plain) : plain;
  return text
    .split(/(?<=[.?!؟]) |(?<=[。!?])/)
    .filter((one) => !(warnsOfFraud(one) || NOTICE.test(one) || OFFER_OF_HELP.test(one)))
    .join(' ');
}

const NEGATION =
  /\b(?:no|not|never|cannot|nobody|nicht|nie|niemals|keine?[nrms]?|ne|pas|jamais|nunca|jamas|non|mai|niet|nooit|geen|nigdy|nao)\b|n't\b/u;

/**
 * Returns a text without the clauses that deny what they mention, apart from the words of the offer itself:
 * `not without a prescription`, but not `without a prescription`. The text must be without diacritics.
 */
export const withoutDenials = (text: string, offers: readonly RegExp[]): string =>
  text
    .split(/(?<=[.?!,;:]) /)
    .filter(
      (clause) => !NEGATION.test(offers.reduce((left, one) => left.replace(one, ' '), clause)),
    )
    .join(' ');
