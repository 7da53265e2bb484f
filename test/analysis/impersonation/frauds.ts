import type { WrittenMail } from '../mail/score-mail.ts';

/** A fraud that is authenticated in every way, and what gives it away; or why a receiver cannot know. */
export interface Fraud extends WrittenMail {
  readonly about: string;
  /** The sign, the pattern or the check that costs it the A. */
  readonly by: string;
}

const html = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Notice</title></head><body>${body}</body></html>`;

const THREAT =
  'Your account has been suspended after unusual activity. Verify your details within 24 hours, or it will be closed permanently.';
const DROHUNG =
  'Ihr Konto wurde wegen ungewöhnlicher Aktivitäten eingeschränkt. Bitte bestätigen Sie Ihre Daten innerhalb von 24 Stunden, andernfalls wird es dauerhaft gesperrt.';

const named = (from: string, by = 'brand_name', body = 'Please see your account.'): Fraud => ({
  about: from,
  from,
  subject: 'Message',
  body: `${body} https://portal.kundenmails.com/a`,
  by,
});

/** Names of brands, wherever they stand and however they are written. */
const names: readonly Fraud[] = [
  named('PayPal <service@paypal.xyz>'),
  named('The PayPal Team <team@mail-desk.net>'),
  named('Ihr PayPal-Team <info@kundenmails.com>'),
  named('Team von PayPal <info@kundenmails.com>'),
  named('Kundenservice PayPal Deutschland <info@kundenmails.com>'),
  named('P a y P a l <info@kundenmails.com>'),
  named('Pay Pal Service <info@kundenmails.com>'),
  named('PayPalService <info@kundenmails.com>'),
  named('PayPa1 <info@kundenmails.com>'),
  named('P@yPal Support <info@kundenmails.com>'),
  named('Micro$oft Account Team <info@kundenmails.com>'),
  named('Netflix Abrechnung <info@kundenmails.com>'),
  named('Ihr Netflix-Team <info@kundenmails.com>'),
  named('Amaz0n Kundendienst <info@kundenmails.com>'),
  named('Amazon Prime Mitgliedschaft <info@kundenmails.com>'),
  named('DHL Paket <info@kundenmails.com>'),
  named('DHL Zollabteilung <info@kundenmails.com>'),
  named('USPS Parcel Notice <info@kundenmails.com>'),
  named('Disney+ <info@kundenmails.com>', 'none'),
  named('Disney Plus Billing <info@kundenmails.com>'),
  named('Spotify Premium <info@kundenmails.com>'),
  named('Microsoft-Konto-Team <info@kundenmails.com>'),
  named('Your Apple ID Support <info@kundenmails.com>'),
  named('Microsoft account team <account-security@outlook.com>'),
  named('Facebook Security <info@kundenmails.com>'),
  named('Mastercard Sicherheitszentrum <info@kundenmails.com>'),
  named('"support@paypal.com" <info@kundenmails.com>'),
  named('PayPal™ Service <info@kundenmails.com>'),
  named('PayPal - Konto eingeschränkt <info@kundenmails.com>'),
  named('Servicio al cliente PayPal <info@kundenmails.com>'),
  named('PayPal Käuferschutz <info@kundenmails.com>'),
  named('\u202elaPyaP <info@kundenmails.com>'),
  named('Micr0soft Outlook <info@kundenmails.com>'),
  named('Microsoft Teams <info@kundenmails.com>'),
  named('Google Drive <info@kundenmails.com>'),
  named('"Anna Kern (via Google Drive)" <info@kundenmails.com>'),
  named('Prime Video <info@kundenmails.com>'),
  named('Meta Business Support <info@kundenmails.com>'),
  named('Facebook Ads Team <info@kundenmails.com>'),
  named('Instagram Copyright Center <info@kundenmails.com>'),
  named('LinkedIn Jobs <info@kundenmails.com>'),
  named('DocuSign Document Center <info@kundenmails.com>'),
  named('Adobe Acrobat Sign <info@kundenmails.com>'),
  named('Booking.com Partner <info@kundenmails.com>'),
  named('eBay Buyer Protection <info@kundenmails.com>'),
  named('Norton 360 Renewal <info@kundenmails.com>'),
  named('U.S. Postal Service <info@kundenmails.com>'),
  named('Internal Revenue Service <info@kundenmails.com>'),
  named('Deutsche Post DHL <info@kundenmails.com>'),
  named('Stripe Payments <info@kundenmails.com>'),
].filter(({ by }) => by !== 'none');

/** Domains that were written to be taken for a brand's, without its name in the display name. */
const domains: readonly Fraud[] = [
  named('Account Service <no-reply@paypa1-secure.com>', 'brand_domain'),
  named('Account Service <no-reply@paypal-secure.com>', 'brand_domain'),
  named('Account Service <no-reply@secure-paypal.net>', 'brand_domain'),
  named('Account Service <no-reply@paypal.top>', 'brand_domain'),
  named('Account Service <no-reply@paypal.co>', 'none'),
  named('Account Service <no-reply@netflix-billing.com>', 'brand_domain'),
  named('Account Service <no-reply@netfllx.com>', 'brand_domain'),
  named('Account Service <no-reply@arnazon.com>', 'brand_domain'),
  named('Account Service <no-reply@amazonkonto.com>', 'brand_domain'),
  named('Account Service <no-reply@micros0ft-login.com>', 'brand_domain'),
  named('Account Service <no-reply@paypal.mail-desk.net>', 'brand_domain'),
  named('Account Service <no-reply@paypal.com.mail-desk.net>', 'embedded_domain'),
  named('Account Service <no-reply@paypal.de.mail-desk.net>', 'embedded_domain'),
  // xn--pypal-4ve: "pаypal" with a Cyrillic a; xn--pypal-gra: "pàypal".
  named('Account Service <no-reply@xn--pypal-4ve.com>', 'from_domain_lookalike'),
  named('Account Service <no-reply@xn--pypal-gra.com>', 'brand_domain'),
  named('Online Banking <no-reply@comrnerzbank.com>', 'brand_domain'),
  named('Account Service <no-reply@app1e.com>', 'brand_domain'),
  named('Account Service <no-reply@dhl-paket.net>', 'brand_domain'),
  named('Account Service <no-reply@usps-redelivery.com>', 'brand_domain'),
  named('Account Service <no-reply@docusign-documents.net>', 'brand_domain'),
].filter(({ by }) => by !== 'none');

/** The twenty of the judge's kinds, in our own words, English and German. */
const letters: readonly Fraud[] = [
  {
    about: 'a password that ends, by nobody’s domain',
    from: 'Account Security <no-reply@account-verification-center.com>',
    subject: 'Your password expires today',
    body: 'Your password expires today. Sign in to keep your access, or your account will be locked within 24 hours. https://account-verification-center.com/r',
    by: 'mail_system',
  },
  {
    about: 'a suspended account at a look-alike',
    from: 'PayPal Resolution Center <service@paypa1-secure.com>',
    subject: 'Your account is suspended',
    body: `${THREAT} https://paypa1-secure.com/v`,
    by: 'brand_domain',
  },
  {
    about: 'a suspended account behind a shortener',
    from: 'Customer Care <care@kundenmails.com>',
    subject: 'Account suspended',
    body: `${THREAT} https://bit.ly/3abcd`,
    by: 'wording',
  },
  {
    about: 'an account of a brand that only the text names',
    from: 'Kundenservice <info@kundenmails.com>',
    subject: 'Ihr PayPal-Konto',
    body: `Guten Tag, ${DROHUNG.replace('Ihr Konto', 'Ihr PayPal-Konto')} https://kundenmails.com/p`,
    by: 'wording',
  },
  {
    about: 'a savings bank’s procedure that ends',
    from: 'Sparkasse Kundenservice <service@kundenmails.com>',
    subject: 'Ihr S-pushTAN-Verfahren läuft ab',
    body: 'Guten Tag, Ihr S-pushTAN-Verfahren läuft am 30. November ab. Bitte erneuern Sie es umgehend, sonst wird Ihr Zugang zum Online-Banking gesperrt. https://kundenmails.com/s',
    by: 'wording',
  },
  {
    about: 'a bank’s photoTAN',
    from: 'Commerzbank Sicherheit <service@kundenmails.com>',
    subject: 'photoTAN aktualisieren',
    body: 'Ihr photoTAN-Verfahren ist abgelaufen und muss bis zum 1. Dezember reaktiviert werden. Melden Sie sich dazu an. https://kundenmails.com/s',
    by: 'wording',
  },
  {
    about: 'gift cards',
    from: 'Martin Berg <martin.berg@berg-holding.com>',
    subject: 'Quick task',
    body: 'Hi, are you at your desk? I am in a meeting and cannot talk. I need you to pick up six Google Play gift cards for a client today. Scratch the back and send me the codes.',
    by: 'gift_cards',
  },
  {
    about: 'Gutscheinkarten',
    from: 'Martin Berg <martin.berg@berg-holding.com>',
    subject: 'Kurze Bitte',
    body: 'Hallo, ich bin gerade in einer Besprechung. Kannst du bitte fünf Steam-Karten zu je 100 Euro besorgen und mir die Codes auf der Rückseite per Foto schicken? Das bleibt unter uns.',
    by: 'gift_cards',
  },
  {
    about: 'a changed IBAN from a look-alike of a domain that it answers',
    from: 'Buchhaltung <rechnung@supp1ier.com>',
    subject: 'Re: Rechnung 4711',
    body: 'Unsere Bankverbindung hat sich geändert. Bitte überweisen Sie alle offenen Rechnungen ab sofort auf die neue IBAN.',
    fields: { 'In-Reply-To': '<a@supplier.com>' },
    by: 'near_domain',
  },
  {
    about: 'changed bank details, answered at a free mail provider',
    from: 'Accounts <accounts@harbour-timber.com>',
    subject: 'New bank details',
    body: 'Our bank details have changed. Please pay all outstanding invoices to the new account from now on.',
    fields: { 'Reply-To': 'harbour.timber@gmail.com' },
    by: 'money_reply',
  },
  {
    about: 'a parcel fee',
    from: 'DHL Paket <info@paketdienst-mails.com>',
    subject: 'Ihre Sendung wartet',
    body: 'Ihr Paket wird zurückgehalten, bis Sie die Zollgebühr von 2,99 Euro bezahlen. Ohne Zahlung innerhalb von 48 Stunden geht es zurück. https://paketdienst-mails.com/z',
    by: 'brand_name',
  },
  {
    about: 'a parcel fee of a carrier whose domains are not all known',
    from: 'Royal Mail <delivery@parceldesk-mails.com>',
    subject: 'Your parcel is on hold',
    body: 'Your parcel is being held because a fee of 1.99 was not paid. Pay the shipping fee within 24 hours or it will be returned. https://parceldesk-mails.com/r',
    by: 'wording',
  },
  {
    about: 'an advance fee',
    from: 'Dr. James Cole <james@cole-chambers.com>',
    subject: 'Confidential',
    body: 'Dear friend, I represent a late client who died without next of kin and left USD 8.5 million. I seek your cooperation; 40% will be for you. Reply to me in confidence.',
    by: 'advance_fee',
  },
  {
    about: 'eine Erbschaft',
    from: 'Kanzlei Weber <weber@weber-nachlass.com>',
    subject: 'Vertraulich',
    body: 'Sehr geehrte Damen und Herren, ein verstorbener Kunde unserer Bank hat 9,8 Millionen Euro ohne Erben hinterlassen. Ihr Anteil wären 40 Prozent. Bitte antworten Sie vertraulich.',
    by: 'advance_fee',
  },
  {
    about: 'a second factor that ends',
    from: 'Microsoft 365 Security <mfa@tenant-mails.com>',
    subject: 'Your MFA expires',
    body: 'Your multi-factor authentication expires today. Scan the code to re-register your authenticator, or you will lose access. https://tenant-mails.com/q',
    by: 'brand_name',
  },
  {
    about: 'a streaming service’s declined payment',
    from: 'Ihr Netflix-Team <info@stream-mails.com>',
    subject: 'Zahlung fehlgeschlagen',
    body: 'Ihre letzte Zahlung wurde abgelehnt. Aktualisieren Sie Ihre Zahlungsdaten innerhalb von 48 Stunden, sonst wird Ihre Mitgliedschaft gekündigt. https://stream-mails.com/n',
    by: 'brand_name',
  },
  {
    about: 'a tax refund',
    from: 'HMRC <refunds@gov-mails.com>',
    subject: 'Tax refund',
    body: 'You are due a tax refund of 412.30. Submit your bank details in the form before Friday to claim it. https://gov-mails.com/t',
    by: 'brand_name',
  },
  {
    about: 'eine Steuererstattung',
    from: 'Finanzamt <service@kundenmails.com>',
    subject: 'Ihre Steuererstattung',
    body: 'Ihnen steht eine Steuererstattung von 412,30 Euro zu. Bitte füllen Sie das Formular mit Ihrer Bankverbindung aus und bestätigen Sie es bis zum 30. November. https://kundenmails.com/f',
    by: 'wording',
  },
  {
    about: 'a recovery phrase',
    from: 'Ledger <security@ledger-mails.com>',
    subject: 'Your device',
    body: 'Your device may be affected. Please confirm your 24-word recovery phrase today to keep your assets. https://ledger-mails.com/a',
    by: 'seed_phrase',
  },
  {
    about: 'a voice message behind the password of the mail',
    from: 'Voicemail Service <voicemail@tenant-notify.com>',
    subject: 'New voice message (0:42)',
    body: 'You have a new voice message. Listen to it by signing in with your email and password. https://tenant-notify.com/v',
    by: 'wording',
  },
  {
    about: 'a second factor, by words of offices alone',
    from: 'IT Security <security@mfa-portal.com>',
    subject: 'Your authenticator must be registered again',
    body: 'Your multi-factor authentication will be deactivated today. Scan the code to re-register, or you will lose access. https://mfa-portal.com/q',
    by: 'wording',
  },
  {
    about: 'a parcel fee under a name that is a word as well',
    from: 'UPS <tracking@parcel-mails.com>',
    subject: 'Delivery attempt failed',
    body: 'Your parcel could not be delivered. Pay the fee of 1.95 within 24 hours. https://parcel-mails.com/u',
    by: 'wording',
  },
  {
    about: 'un paquete retenido',
    from: 'Correos <envios@paquetes-mails.com>',
    subject: 'Su paquete',
    body: 'Su paquete no se pudo entregar. Pague los gastos de aduana de 2,99 euros en 24 horas. https://paquetes-mails.com/c',
    by: 'wording',
  },
  {
    about: 'una cuenta bloqueada',
    from: 'BBVA Seguridad <avisos@clientes-mails.com>',
    subject: 'Su cuenta',
    body: 'Hemos detectado un acceso inusual. Verifique sus datos en 24 horas o su cuenta será bloqueada. https://clientes-mails.com/b',
    by: 'wording',
  },
  {
    about: 'neue Richtlinien einer Bank',
    from: 'DKB Kundenservice <service@kundenmails.com>',
    subject: 'Neue Bestimmungen',
    body: 'Aufgrund neuer Richtlinien müssen Sie Ihre Daten bestätigen. Ohne Bestätigung wird Ihr Konto gesperrt. https://kundenmails.com/d',
    by: 'wording',
  },
  {
    about: 'a threat from a domain of a bank’s name and an office',
    from: 'Kundenservice <service@sparkasse-login.net>',
    subject: 'Ihr Konto',
    body: `${DROHUNG} https://sparkasse-login.net/k`,
    by: 'wording',
  },
  {
    about: 'a tax refund from a domain of an authority’s name',
    from: 'Refund Desk <refunds@irs-refund.com>',
    subject: 'Tax refund',
    body: 'You are due a tax refund of 412.30. Submit your bank details in the form before Friday to claim it. https://irs-refund.com/t',
    by: 'wording',
  },
  ...[
    'https://www.bing.com/ck/a?p=1&u=a1aHR0cHM6Ly9wb3J0YWw',
    'https://www.linkedin.com/slink?code=gH3x',
    'https://translate.google.com/translate?u=https://portal.kundenmails.com',
    'https://portal-kundenmails-com.translate.goog/a',
    'https://out.reddit.com/t3?url=https://portal.kundenmails.com',
    'https://googleweblight.com/i?u=https://portal.kundenmails.com',
    'https://www.baidu.com/link?url=abc',
  ].map((link) => ({
    about: link,
    from: 'Document Desk <desk@file-mails.com>',
    subject: 'Your invoice',
    body: html(`<p>Your invoice is ready. <a href="${link}">See your invoice</a></p>`),
    by: 'link_shortener',
  })),
  {
    about: 'una cuenta bloqueada, de un dominio con el nombre del banco',
    from: 'Banco Santander <avisos@santander-cliente.net>',
    subject: 'Su cuenta',
    body: 'Por seguridad hemos bloqueado su cuenta. Verificar ahora: https://santander-cliente.net/es',
    by: 'wording',
  },
  {
    about: 'a withdrawal that nobody asked for, behind a shortener',
    from: 'Coinbase <support@coinbase-secure.net>',
    subject: 'Withdrawal of 0.84 BTC',
    body: 'You asked to withdraw 0.84 BTC from your account. If this was not you, secure your account at once: https://bit.ly/3abcd',
    by: 'wording',
  },
  {
    about: 'a data: link',
    from: 'Document Desk <desk@file-mails.com>',
    subject: 'A document for you',
    body: html('<p><a href="data:text/html;base64,PGgxPkhpPC9oMT4=">Open the document</a></p>'),
    by: 'active_content',
  },
  {
    about: 'an open redirect',
    from: 'Document Desk <desk@file-mails.com>',
    subject: 'Your invoice',
    body: html(
      '<p>Your invoice is ready. <a href="https://www.google.com/url?q=https%3A%2F%2Fportal.kundenmails.com%2Fa">See your invoice</a></p>',
    ),
    by: 'link_shortener',
  },
  {
    about: 'a password form that posts elsewhere',
    from: 'Document Desk <desk@file-mails.com>',
    subject: 'Sign in',
    body: html(
      '<p>Sign in to read the document.</p><form action="https://portal.kundenmails.com/p"><p><input type="email" name="m"><input type="password" name="p"></p></form>',
    ),
    by: 'active_content',
  },
];

export const frauds: readonly Fraud[] = [...names, ...domains, ...letters];

/** Frauds that keep their A, and why no receiver could know by the mail alone. */
export const unknowable: readonly (WrittenMail & { readonly why: string })[] = [
  {
    why: 'a supplier’s own domain, and only the supplier knows its account',
    from: 'Buchhaltung <rechnung@holzhandel-nord.com>',
    subject: 'Neue Bankverbindung',
    body: 'Unsere Bankverbindung hat sich geändert. Bitte überweisen Sie alle offenen Rechnungen ab sofort auf die neue IBAN.',
  },
  {
    why: 'a firm of its own name, and only the reader knows whether there was an order',
    from: 'Nordlicht Inkasso <forderung@nordlicht-inkasso.com>',
    subject: 'Letzte Mahnung',
    body: 'Ihre Rechnung 4711 ist überfällig. Zahlen Sie bis zum 30. November, sonst geht die Forderung an das Gericht. https://nordlicht-inkasso.com/f',
  },
  {
    why: 'a service of its own name, whose readers have an account there or not',
    from: 'Havenly <no-reply@havenly-mails.com>',
    subject: 'Your account is locked',
    body: `${THREAT} https://havenly-mails.com/v`,
  },
  {
    why: 'a person’s own address, and only the company knows who may ask for a transfer',
    from: 'Sandra Kuehn <sandra.kuehn@kuehn-holding.com>',
    subject: 'Today',
    body: 'I need you to process an urgent wire transfer of 48,000 EUR today. It is confidential, do not tell anyone.',
  },
];
