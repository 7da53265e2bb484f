import { isProviderDomain } from '../names/shared-pools.ts';
import { type Brand, ownershipOf, withKey } from './brands.ts';
import type { SenderClaims } from './claims.ts';
import { toLatin } from './letters.ts';
import { speakerOf, wordsOf } from './speaker.ts';

/** Rules whose words claim an account of the reader's. */
const CLAIMS_ACCOUNT = ['account_threat', 'second_factor'];

/** A shop speaks of the account that it charges. */
const CLAIMS_PAYMENT = 'declined_payment';

/** Whether the text speaks of the reader's account at a brand whose own domain no link leads to. */
export function namesBrand(
  plain: string,
  { fromDomain, linkHosts, wording }: SenderClaims,
): boolean {
  if (fromDomain === null || wording.includes(CLAIMS_PAYMENT)) return false;
  if (!wording.some((id) => CLAIMS_ACCOUNT.includes(id))) return false;
  const leadsTo = (brand: Brand) => leadsToBrand(brand, fromDomain, linkHosts);
  const latin = toLatin(plain);
  const before = [...latin.matchAll(YOUR_ACCOUNT)].map(([, name = '']) => wordsOf(name).join(''));
  const behind = [...latin.matchAll(ACCOUNT_AT)].flatMap(([, name = '']) => {
    const words = wordsOf(name);
    return words.map((_, at) => words.slice(0, at + 1).join(''));
  });
  return [...before, ...behind]
    .flatMap(brandsNamed)
    .some((brand) => !isOfWork(brand) && !leadsTo(brand));
}

/** An account of the reader's, and where, in languages that name it behind: `su cuenta PayPal`. */
const ACCOUNT_AT =
  /\b(?:votre|ton|su|tu|tuo|suo|sua|tua|uw|je|jouw|twoje|twojego|panstwa)\s(?:compte|cuenta|tarjeta|conto|carta|account|rekening|konto|konta|conta|cartao|carte|abonnement|suscripcion|abbonamento|assinatura|subskrypcj[ae])\s(?:(?:de|di|chez|en|do|da|del|w|bij|no|na)\s)?((?:[\p{L}\p{N}.&-]+\s?){1,3})/gu;

const leadsToBrand = (brand: Brand, fromDomain: string, linkHosts: readonly string[]): boolean =>
  [fromDomain, ...linkHosts].some((host) => ownershipOf(host, brand) !== 'foreign');

/** Lines at the end of a text that may be its signature, and how long one is, in characters. */
const SIGNATURE_LINES = 8;
const MAX_SIGNATURE = 60;

/**
 * Whether a text is signed in the name of a brand that neither its sender nor a link belongs to. Shops name
 * brands by which one pays: beside a payment, the brand has to speak, as in "The PayPal Team".
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
    const brand = speakerOf(line);
    if (brand === undefined || leadsToBrand(brand, fromDomain, linkHosts)) return false;
    return !isOfPayment || wordsOf(line).join('') !== brand.key;
  });
}

/** The shortest name that a word may begin with by no accident. */
const MIN_BEGINNING = 6;

/** Brands that a word is, or begins with. */
const brandsNamed = (word: string): readonly Brand[] => [
  ...withKey(word),
  ...Array.from(word, (_, at) => word.slice(0, at))
    .slice(MIN_BEGINNING)
    .flatMap((beginning) => withKey(beginning).filter(({ isWord }) => !isWord)),
];

const YOUR_ACCOUNT =
  /\b(?:your|ihr(?:e[mnrs]?)?|dein(?:e[mnrs]?)?)\s([\p{L}\p{N}][\p{L}\p{N} .-]{1,24}?)[ -]?(?:account|konto|kontos|karte|card|profil|profile|membership|mitgliedschaft|banking|id)\b/gu;

/** Brands whose accounts an employer hands out: its own helpdesk speaks of them. */
const isOfWork = ({ name }: Brand): boolean =>
  /^(?:Microsoft|Office|OneDrive|SharePoint|Outlook|Google|Gmail|Zoom|Adobe|Dropbox|DocuSign|Steam)/.test(
    name,
  );
