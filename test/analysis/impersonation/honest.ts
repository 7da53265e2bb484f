/**
 * Honest emails that resemble frauds: under names that are often imitated, with the words of frauds, about
 * brands, or with replies that go elsewhere.
 */

import type { WrittenMail } from '../mail/score-mail.ts';

interface Honest extends WrittenMail {
  readonly about: string;
}

const from = (who: string, body = 'Your statement is ready in your account.'): Honest => ({
  about: who,
  from: who,
  subject: 'Your statement',
  body,
});

/** Senders who use a name that is often imitated, and have the right to. */
export const honest: readonly Honest[] = [
  // Banks, and other companies of their groups.
  from('Deutsche Bank <info@deutsche-bank.de>'),
  from('Deutsche Bank <no-reply@mail.deutsche-bank.de>'),
  from('Deutsche Bank <info@postbank.de>'),
  from('Postbank eSafe <esafe@notification.postbank.de>'),
  from('Commerzbank <service@comdirect.de>'),
  from('UniCredit <info@hypovereinsbank.de>'),
  from('BNP Paribas <info@consorsbank.de>'),
  from('BNP Paribas Fortis <info@bnpparibasfortis.be>'),
  from('Santander <info@santanderconsumer.de>'),
  from('Banco Santander <info@openbank.es>'),
  from('HSBC <hello@firstdirect.com>'),
  from('Lloyds Bank <info@lloydsbanking.com>'),
  from('Barclays <info@barclaycard.co.uk>'),
  from('Sparkasse Bremen <info@sparkasse-bremen.de>'),
  from('Ihre Sparkasse <service@kskmse.de>'),
  from('Kreissparkasse Köln <info@ksk-koeln.de>'),
  from('Hamburger Sparkasse <info@haspa.de>'),
  from('Volksbank Mittelhessen <info@vb-mittelhessen.de>'),
  // Postal services and carriers, under the names that they send notices from.
  from('La Poste <notif-laposte.info@notif-laposte.info>'),
  from('Colissimo La Poste <noreply@notif-colissimo-laposte.info>'),
  from('Royal Mail <notifications@royalmail-notify.co.uk>'),
  from('DHL Paket <noreply@dhl.de>'),
  from('Deutsche Post <info@deutschepost.de>'),
  from('DPD <noreply@service.dpd.de>'),
  from('PostNL <noreply@edm.postnl.nl>'),
  from('USPS Informed Delivery <usps@email.informeddelivery.usps.com>'),
  // Governments, directly or through the service that sends their notices.
  from(
    'HMRC <noreply@notifications.service.gov.uk>',
    'You are due a tax refund. Claim it in your account.',
  ),
  from('IRS Notices <irs@service.govdelivery.com>', 'Tax refund: submit the form before April.'),
  from(
    'Finanzamt Köln-Mitte <poststelle@fv.nrw.de>',
    'Ihre Steuererstattung: bitte reichen Sie das Formular bis zum 30.11. ein. Bankverbindung bestätigen.',
  ),
  from('ELSTER <noreply@elster.de>'),
  // Emails with the words of frauds, in which nothing else is wrong.
  from(
    'Lampenladen <info@lampenladen-nord.de>',
    'Vielen Dank für Ihre Bestellung über 39,90 EUR. Falls Sie sie nicht aufgegeben haben, rufen Sie uns an: 030 1234567.',
  ),
  from(
    'Lamp Shop <info@lampshop-north.com>',
    'Thank you for your order of $39.90. To cancel, call us at +1 212 555 0100.',
  ),
  from(
    'Cryptohaus <info@cryptohaus.com>',
    'A withdrawal of 0.8 BTC was requested. If this was not you, cancel it now by signing in.',
  ),
  from(
    'Gym North <info@gym-north.com>',
    'Your payment of 29 EUR is overdue. Please pay within 7 days, otherwise we must suspend your membership and hand the case to a collection agency.',
  ),
  from(
    'Vodafone <info@vodafone.de>',
    'Ihre Rechnung ist überfällig. Bitte zahlen Sie 39,99 EUR innerhalb von 7 Tagen, sonst sperren wir Ihren Anschluss.',
  ),
  from(
    'GMX <info@gmx.net>',
    'Ihr Speicherplatz ist zu 95 % belegt. Melden Sie sich heute an und löschen Sie alte Mails.',
  ),
  from(
    'Steam Cleaning Service <info@steam-cleaning-north.com>',
    'Your appointment is confirmed. To cancel, call +1 212 555 0199 within 24 hours.',
  ),
  from(
    'Apple Service Partner Lang <info@apple-service-lang.de>',
    'Ihr iPhone ist repariert. Bitte bestätigen Sie die Abholung innerhalb von 7 Tagen.',
  ),
  from(
    'Spedition Lang <info@zoll-spedition-lang.de>',
    'Ihre Sendung ist beim Zoll. Die Einfuhrgebühr von 23,10 EUR zahlen Sie bitte bis Freitag.',
  ),
  from(
    'Payroll <payroll@berg-holding.com>',
    'We received your change of bank account. Your salary will be paid to the new account from December.',
  ),
  from(
    'Tom Berg <tom@familie-berg.de>',
    'Ich habe eine Kiste mit Büchern für dich, ungefähr 2 Millionen Seiten. Melde dich.',
  ),
  from(
    'Meta Analysis Group <info@meta-analysis-group.org>',
    'Your account will expire on Friday. Log in within 7 days to keep it.',
  ),
  from(
    'Anna Berg <anna@familie-berg.de>',
    'Please order the gift cards until Friday. Codes come by e-mail.',
  ),
  from(
    'Pay North <info@pay-north.com>',
    'You paid 20 EUR. If you did not make this payment, contact us within 13 months.',
  ),
  // Brands with a domain in each country, or with domains under other names.
  from('PayPal <service@paypal.de>'),
  from('PayPal <info@paypal-communication.com>'),
  from('Amazon.de <versandbestaetigung@amazon.de>'),
  from('Netflix <info@members.netflix.com>'),
  from('Netflix <info@netflix.se>'),
  from('Disney+ <disneyplus@mail.disneyplus.com>'),
  from('Instagram <security@mail.instagram.com>'),
  from(
    'Microsoft-Konto-Team <account-security-noreply@accountprotection.microsoft.com>',
    'Your account: unusual sign-in. Verify within 24 hours, or it will be locked.',
  ),
  from('Booking.com <noreply@property.booking.com>'),
  // Requests for payment whose replies go to the recipient of the money.
  {
    about: 'an invoice by a platform, answered at a free provider',
    from: 'Bob Plumbing via QuickBooks <quickbooks@notification.intuit.com>',
    subject: 'Invoice 1041',
    body: 'Your invoice is ready. Amount due 240.00. Please pay by wire transfer or card by Friday.',
    fields: { 'Reply-To': 'office@bobplumbing.com' },
  },
  {
    about: 'a payment receipt, answered at the shop',
    from: 'Nordwind Shop via Stripe <receipts@stripe.com>',
    subject: 'Your receipt',
    body: 'You paid 24.00 to Nordwind Shop. Questions about the payment? Reply to this mail.',
    fields: { 'Reply-To': 'hallo@nordwind-shop.de' },
  },
  {
    about: 'new bank details of a group, answered at its service company',
    from: 'Nordholz GmbH <rechnung@nordholz.de>',
    subject: 'Neue Bankverbindung',
    body: 'Unsere Bankverbindung hat sich geändert. Bitte überweisen Sie künftige Rechnungen auf das neue Konto.',
    fields: { 'Reply-To': 'buchhaltung@nordholz-gruppe.de' },
  },
  // Newsletters and people that mention brands.
  {
    about: 'a newsletter on phishing',
    from: 'Security Weekly <letter@securityweekly.com>',
    subject: 'How phishing works',
    body: 'This week: mails that say your account is suspended unless you verify within 24 hours, that your PayPal payment failed, that DHL wants a customs fee before it releases a parcel. https://securityweekly.com/12',
  },
  {
    about: 'a shop that takes PayPal and sends by DHL',
    from: 'Teehaus Nord <post@teehaus-nord.de>',
    subject: 'Ihre Bestellung ist unterwegs',
    body: 'Ihre Zahlung mit PayPal ist da. DHL bringt Ihr Paket am Freitag. https://www.dhl.de/sendung https://teehaus-nord.de/b/1',
  },
  {
    about: 'a person who asks a friend for a gift card',
    from: 'Anna Kern <anna@kern-familie.de>',
    subject: 'Geburtstag',
    body: 'Hallo, kannst du für Mama eine Geschenkkarte vom Buchladen mitbringen? Ich gebe dir das Geld am Sonntag.',
  },
  {
    about: 'a club that asks for a postal code, and answers at its other domain',
    from: 'Ruderclub Nord <info@ruderclub-nord.de>',
    subject: 'Your registration',
    body: 'Hello Ada, your form has no address. Please send us your street and postal code, so that we can post the membership card.',
    fields: { 'Reply-To': 'sport@rc-nord-jugend.de' },
  },
  {
    about: 'a shop that sells gift cards',
    from: 'Corner Books <news@cornerbooks.com>',
    subject: 'Gift cards are back',
    body: 'Order a gift card online today and we will mail it to your friends. Please choose a picture. Unsubscribe: https://cornerbooks.com/u',
    fields: {
      'List-Unsubscribe': '<https://cornerbooks.com/u>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  },
  {
    about: 'a reminder of payment from a service of its own name',
    from: 'Havenly <billing@havenly.com>',
    subject: 'Your payment failed',
    body: 'We could not charge your PayPal account. Update your payment method before 1 June, or your subscription will be cancelled. https://havenly.com/billing',
  },
  {
    about: 'a university’s helpdesk on a password of Microsoft 365',
    from: 'IT Helpdesk <helpdesk@leeds.ac.uk>',
    subject: 'Your Microsoft 365 password expires',
    body: 'Your Microsoft 365 account password expires in 7 days. Sign in at https://password.leeds.ac.uk and change it, or your account will be locked.',
  },
  {
    about: 'a probate lawyer',
    from: 'Kanzlei Weber <weber@weber-kanzlei.de>',
    subject: 'Nachlasssache Berg',
    body: 'Guten Tag Frau Berg, in der Nachlasssache Ihres Onkels erhalten Sie anbei den Erbschein. Rückfragen gern telefonisch.',
  },
  {
    about: 'a farm shop, a surname and a place',
    from: 'Chase Farm Shop <hello@chasefarm.co.uk>',
    subject: 'Apples are in',
    body: 'Fresh apples from Saturday on. https://chasefarm.co.uk/apples',
  },
  {
    about: 'a wallet on its recovery phrase',
    from: 'Fjord Wallet <hello@fjordwallet.com>',
    subject: 'Welcome to your crypto wallet',
    body: 'Write down your recovery phrase. We never ask for it: do not enter your recovery phrase on any page, today or later. To restore your wallet, enter your recovery phrase in the app.',
  },
  {
    about: 'a shop whose gift cards come by mail',
    from: 'Buchladen Eck <info@buchladen-eck.de>',
    subject: 'Geschenkkarten',
    body: 'Bitte bestellen Sie Geschenkkarten bis Freitag, der Code kommt per Mail.',
  },
  {
    about: 'a receipt for a donation',
    from: 'Ärzte im Norden <spenden@aerzte-nord.org>',
    subject: 'Ihre Spende',
    body: 'Ihre Spende von 50 Euro ist angekommen. Die Bescheinigung liegt bei.',
  },
  {
    about: 'a list that bears a brand’s name',
    from: '"Tom Berg via Shopify" <shopify@googlegroups.com>',
    subject: '[shopify] theme',
    body: 'I think we should merge it.',
    fields: {
      'List-Id': '<shopify.googlegroups.com>',
      'List-Post': '<mailto:shopify@googlegroups.com>',
    },
  },
  {
    about: 'who signs through a platform',
    from: '"Anna Kern via DocuSign" <dse@docusign.net>',
    subject: 'Please sign',
    body: 'Review and sign: https://na2.docusign.net/x',
    fields: { 'Reply-To': 'anna@kern-familie.de' },
  },
  {
    about: 'uninterruptible power, and not a carrier',
    from: 'UPS Service GmbH <info@ups-service.de>',
    subject: 'Wartung',
    body: 'Ihre Anlage muss gewartet werden. Termin: https://ups-service.de/t',
  },
  {
    about: 'a bank’s own procedure that ends',
    from: 'Sparkasse KölnBonn <service@sparkasse-koelnbonn.de>',
    subject: 'Ihr pushTAN-Verfahren',
    body: 'Ihr pushTAN-Verfahren läuft am 30. November ab. Bitte erneuern Sie es bis dahin in Ihrem Online-Banking.',
  },
  {
    about: 'un banco desde su dominio',
    from: 'CaixaBank <info@caixabank.es>',
    subject: 'Su cuenta',
    body: 'Verifique sus datos en 24 horas o su cuenta será bloqueada.',
  },
  {
    about: 'a Hebrew name with marks of its direction',
    from: '\u202bחנות\u202c <info@books.co.il>',
    subject: 'ההזמנה',
    body: 'ההזמנה שלך בדרך.',
  },
  {
    about: 'a security notice whose clicks are counted by another house',
    from: 'Havenly <security@havenly.com>',
    subject: 'New sign-in',
    body: '<!doctype html><html lang="en"><head><title>Notice</title></head><body><p>Unusual sign-in to your account. If this was not you, sign in within 24 hours and secure your account: <a href="https://click.mailhouse.net/c/1">havenly.com</a></p></body></html>',
  },
];
