/**
 * Recognizes emails whose text claims to come from a brand or a bank, or to share a file on a platform, that
 * has nothing to do with the sender or the links.
 */

import { isProviderDomain } from '../names/shared-pools.ts';
import { type Brand, ownershipOf, withFolded, withKey } from './brands.ts';
import type { SenderClaims } from './claims.ts';
import { toFolded, toLatin } from './letters.ts';
import { withoutAddresses } from './mailbox.ts';
import { speakerOf, wordsOf } from './speaker.ts';

/** Fraud rules about an account that the reader is said to have. */
const CLAIMS_ACCOUNT = ['account_threat', 'second_factor', 'password_request'];

/** Fraud rules for emails whose links may contain the brand's name, such as `/chase/review`. */
const NAMED_BY_LINK = [...CLAIMS_ACCOUNT, 'refund_details'];

/** The fraud rule for declined payments. An honest shop also mentions the account that it charges. */
const CLAIMS_PAYMENT = 'declined_payment';

/** Matches a name of one to three words. The length is limited so that backtracking stays short. */
const NAME = "((?:[\\p{L}\\p{N}.&'+]{1,24}[ -]?){1,3}?)";
const NAME_BEHIND = '((?:[\\p{L}\\p{N}.&+-]{1,24}\\s?){1,3})';

const ACCOUNTS =
  'account|konto|kontos|karte|card|profile?|banking|id|wallet|compte|cuenta|tarjeta|conto|carta|rekening|konta|konto|conta|cartao|carte';

const MEMBERSHIPS =
  'membership|mitgliedschaft|abo|abonnement|subscription|plan|suscripcion|abbonamento|assinatura|subskrypcj[aei]|lidmaatschap|iscrizione|storage';

const yours = (nouns: string): readonly RegExp[] => [
  // Matches phrases such as `your PayPal account`.
  new RegExp(
    `\\b(?:your|ihr(?:e[mnrs]?)?|dein(?:e[mnrs]?)?|uw|je|jouw)\\s${NAME}[ -]?(?:${nouns})\\b`,
    'gu',
  ),
  // Matches phrases such as `su cuenta PayPal` and `your account at PayPal`.
  new RegExp(
    `\\b(?:your|ihr(?:e[mnrs]?)?|dein(?:e[mnrs]?)?|votre|ton|su|tu|tuo|suo|sua|tua|uw|je|jouw|twoje|twojego|panstwa)\\s(?:${nouns})\\s(?:(?:at|with|bei|de|di|chez|en|do|da|del|w|bij|no|na)\\s)?${NAME_BEHIND}`,
    'gu',
  ),
];

const YOUR_ACCOUNT = yours(ACCOUNTS);
const YOUR_MEMBERSHIP = yours(MEMBERSHIPS);

/** Patterns for greetings such as `Dear PayPal customer` and `Cher client PayPal`. */
const GREETINGS = [
  new RegExp(
    `\\b(?:dear|hello|hi|valued|geehrte[rs]?|liebe[rs]?|hallo|geachte|beste)\\s${NAME}[ -]?(?:customer|client|user|member|cardholder|subscriber|kund(?:e|en|in)|nutzer(?:in)?|mitglied|klant|gebruiker)\\b`,
    'gu',
  ),
  /\b(?:cher|chere|estimad[oa]|gentile|egregio|szanown[yi]|car[oa]|prezad[oa])(?:\/a)?\s(?:client[ei]?|cliente|usuari[oa]|abonne|utente|kliencie|uzytkowniku|utilizador)\s(?:(?:de|di|do|da|chez)\s)?((?:[\p{L}\p{N}.&-]{1,24}\s?){1,3})/gu,
];

/** Patterns for requests such as `Call PayPal support`. */
const HELPERS = [
  new RegExp(
    `\\b(?:call|contact|kontaktieren sie|rufen sie|anruf beim?)\\s(?:(?:the|den|die)\\s)?${NAME}[ -]?(?:support|service|help|customer|security|fraud|helpdesk|kundendienst|kundenservice|hotline)\\b`,
    'gu',
  ),
  /\b(?:support|assistance|soporte|asistencia|atencion al cliente|assistenza|klantenservice|pomoc\p{L}?|suporte|apoio)\s(?:(?:de|di|do|da|van)\s)?((?:[\p{L}\p{N}.&-]{1,24}\s?){1,3})/gu,
];

/** Patterns for phrases such as `Open in SharePoint` and `a secure link to DocuSign`. */
const FILES = [
  new RegExp(
    `\\b(?:open(?:en)?|opened|view|complete|review|shared|secure link|access|offnen|freigegeben|ouvrir|partage|abrir|compartid[oa]|aprire|apri|condivis[oa]|gedeeld|otworz|udostepnion[yae]|partilhad[oa])\\s(?:\\p{L}+\\s)?(?:in|with|on|via|to|using|through|by|mit|uber|avec|sur|dans|con|en|su|met|w|przez|no|na|com)\\s${NAME_BEHIND}`,
    'gu',
  ),
  new RegExp(
    `\\b(?:sign|signed|unterschreiben|signer|firmar|firmare|ondertekenen|podpisz|assinar)\\s(?:with|via|mit|uber|avec|con|met|przez|com)\\s${NAME_BEHIND}`,
    'gu',
  ),
  // Matches phrases such as `In Dropbox öffnen`.
  new RegExp(
    `\\b(?:in|mit|uber|bei)\\s${NAME}\\s?(?:offnen|ansehen|anzeigen|unterschreiben|herunterladen)\\b`,
    'gu',
  ),
];

/**
 * Returns the names that the patterns find in a text. Every sequence of adjacent words counts as a name,
 * because a name may have several words.
 */
const namesIn = (latin: string, patterns: readonly RegExp[]): readonly string[] =>
  patterns
    .flatMap((one) => [...latin.matchAll(one)].map(([, name = '']) => wordsOf(name)))
    .flatMap((words) =>
      words.flatMap((_, from) =>
        words.slice(from).map((_, length) => words.slice(from, from + length + 1).join('')),
      ),
    );

/**
 * Returns whether the text claims to come from a brand to which neither the sender nor a link belongs. Such a
 * text mentions the reader's account there, addresses the brand's customers, or names its telephone support.
 * Brands for payments often do not count, because shops mention them too.
 */
export function namesBrand(
  plain: string,
  { fromDomain, linkHosts, linkNames, wording }: SenderClaims,
): boolean {
  if (fromDomain === null) return false;
  const isForeign = (brand: Brand) =>
    !isOfWork(brand) && !leadsToBrand(brand, fromDomain, linkHosts);
  const latin = toLatin(plain);
  const isServed = (brand: Brand) => isForeign(brand) && !isOfPayments(brand);
  if (
    namesIn(latin, [...GREETINGS, ...YOUR_MEMBERSHIP])
      .flatMap(brandsNamed)
      .some(isServed)
  )
    return true;
  if (wording.includes(CLAIMS_PAYMENT)) return false;
  if (wording.includes('call_off') && namesIn(latin, HELPERS).flatMap(brandsNamed).some(isForeign))
    return true;
  const names = [
    ...(wording.some((id) => CLAIMS_ACCOUNT.includes(id)) ? namesIn(latin, YOUR_ACCOUNT) : []),
    ...(wording.some((id) => NAMED_BY_LINK.includes(id)) ? linkNames : []),
  ];
  return names.flatMap(brandsNamed).some(isForeign);
}

/** Number of words of the longest brand name that is looked for anywhere in a text. */
const MAX_NAME_WORDS = 3;

/**
 * Returns a function that tells whether a text mentions a brand, or another brand of the same owner, outside
 * of addresses. The text is split into words only when a brand is looked for.
 */
export function namerOf(text: string): (brand: Brand) => boolean {
  let owners: ReadonlySet<Brand['domains']> | undefined;
  const read = (): ReadonlySet<Brand['domains']> => {
    const words = wordsOf(withoutAddresses(text));
    const runs = words.flatMap((_, at) =>
      Array.from({ length: MAX_NAME_WORDS }, (_, more) => words.slice(at, at + more + 1).join('')),
    );
    return new Set(runs.flatMap((run) => withFolded(toFolded(run))).map(({ domains }) => domains));
  };
  return ({ domains }) => {
    owners ??= read();
    return owners.has(domains);
  };
}

/**
 * Matches the names of procedures for approving a transaction that only banks offer to their customers, such
 * as pushTAN.
 */
const PROCEDURE =
  /\b(?:s-?)?(?:push|photo|chip|sms|opti[ck]|q|v|app)-?tans?\b|\b(?:secure ?go|bestsign|certicode|securi ?pass|cle digitale|pass securite|clave de firma|firma digital|token (?:mobile|app)|mobile token|scanner-?code|identifier|raboscanner)\b/u;

const BANK =
  /bank|banc|banq|kasse|cassa|caisse|caixa|caja|credit|raiffeisen|sparda|volksbk|money|broker|invest/u;

/**
 * Returns whether the text mentions a bank's approval procedure although neither the display name nor the
 * domain looks like a bank's.
 */
export const speaksAsBank = (
  plain: string,
  { fromDomain, displayName, wording }: SenderClaims,
): boolean =>
  fromDomain !== null &&
  wording.some((id) => CLAIMS_ACCOUNT.includes(id)) &&
  !BANK.test(toLatin(`${displayName} ${fromDomain}`)) &&
  PROCEDURE.test(toLatin(plain));

/** Returns whether the text offers a file or asks for a signature at a platform to which no link leads. */
export const offersFileOf = (plain: string, { fromDomain, linkHosts }: SenderClaims): boolean =>
  fromDomain !== null &&
  linkHosts.length > 0 &&
  namesIn(toLatin(plain), FILES)
    .flatMap(brandsNamed)
    .some((brand) => isPlatformOfFiles(brand) && !leadsToBrand(brand, fromDomain, linkHosts));

const leadsToBrand = (brand: Brand, fromDomain: string, linkHosts: readonly string[]): boolean =>
  [fromDomain, ...linkHosts].some((host) => ownershipOf(host, brand) !== 'foreign');

/**
 * Number of lines at the end of a text that may be its signature. `MAX_SIGNATURE` is the length of the
 * longest such line, in characters.
 */
const SIGNATURE_LINES = 8;
const MAX_SIGNATURE = 60;

/** Matches legal additions to the name of a company, as in `PayPal Inc., 2211 North First Street`. */
const LEGAL =
  /(?:^|\s)(?:©|\(c\)|copyright)[\s\d–-]*|,?\s(?:inc|corporation|corp|llc|ltd|gmbh|ag|s\.?a|b\.?v)\b.*$/giu;

/**
 * Returns whether a text is signed in the name of a brand to which neither its sender nor a link belongs.
 * Shops mention brands as means of payment, so in a text about a payment the bare name is not enough. The
 * signature must then be the brand's own, as in "The PayPal Team".
 */
export function isSignedAsBrand(
  text: string,
  { fromDomain, linkHosts, wording }: SenderClaims,
): boolean {
  if (fromDomain === null || isProviderDomain(fromDomain)) return false;
  const isOfPayment = wording.includes(CLAIMS_PAYMENT);
  const lines = text.split('\n').filter((line) => /\p{L}/u.test(line));
  return lines.slice(-SIGNATURE_LINES).some((line) => {
    if (line.length > MAX_SIGNATURE) return false;
    const key = wordsOf(line.replace(LEGAL, '')).join('');
    const brand = speakerOf(line) ?? withKey(key)[0];
    if (brand === undefined || leadsToBrand(brand, fromDomain, linkHosts)) return false;
    return !isOfPayment || key !== brand.key;
  });
}

/** Length of the shortest brand name with which a word does not begin by accident. */
const MIN_BEGINNING = 6;

/** Returns the brands whose name a word equals or begins with. */
const brandsNamed = (word: string): readonly Brand[] => [
  ...withKey(word),
  ...Array.from(word, (_, at) => word.slice(0, at))
    .slice(MIN_BEGINNING)
    .flatMap((beginning) => withKey(beginning).filter(({ isWord }) => !isWord)),
];

/**
 * Returns whether employers give their staff accounts with a brand, so that an employer's own helpdesk
 * mentions it.
 */
const isOfWork = ({ name }: Brand): boolean =>
  /^(?:Microsoft|Office|OneDrive|SharePoint|Outlook|Google|Gmail|Zoom|Adobe|Dropbox|DocuSign|Steam)/.test(
    name,
  );

/** Returns whether a brand is a platform on which people share or sign files. */
const isPlatformOfFiles = ({ name }: Brand): boolean =>
  /^(?:Microsoft Teams|OneDrive|SharePoint|Google (?:Drive|Docs)|Adobe|Dropbox|DocuSign|WeTransfer)/.test(
    name,
  );

/** Returns whether a brand is a means of payment. */
const isOfPayments = ({ name }: Brand): boolean =>
  /^(?:PayPal|Klarna|Visa|Mastercard|American Express|Stripe|Apple Pay|Google Pay|Amazon Pay)/.test(
    name,
  );
