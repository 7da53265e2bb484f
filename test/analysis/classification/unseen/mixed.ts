/**
 * Emails that are hard to classify: offers without a way to unsubscribe, transactional emails with
 * one, and letters about business.
 */

import type { UnseenMail } from './unseen-mail.ts';

/** Offers without a way to unsubscribe, for which receivers require one-click unsubscribing. */
export const marketingWithoutWayOut: readonly UnseenMail[] = [
  {
    about: 'English, a sale in HTML',
    from: 'Barn Boots <post@barnboots.example>',
    subject: 'The boot sale is on',
    body: '<h1>Up to 40% off</h1><p><a href="https://barnboots.example/men">Men</a> <a href="https://barnboots.example/women">Women</a></p><p>Ends Sunday.</p>',
  },
  {
    about: 'English, a newsletter',
    from: 'The Kiln <letters@kiln.example>',
    subject: 'The Kiln, issue 44: glazes without lead',
    body: '<p>In this issue: three ash glazes, a visit to Stoke, and letters.</p><p><a href="https://kiln.example/44">Read issue 44</a></p>',
  },
  {
    about: 'German, an offer',
    from: 'Gartenwelt <info@gartenwelt.example>',
    subject: '20 % auf alle Rosen',
    body: 'Nur bis Sonntag: 20 % Rabatt auf alle Rosen. Jetzt bestellen: https://gartenwelt.example/rosen',
  },
  {
    about: 'French, an offer',
    from: 'Lunetterie Vue <info@lunetterievue.example>',
    subject: 'Soldes : -30 % sur les montures',
    body: 'Profitez-en jusqu’à samedi : https://lunetterievue.example/soldes',
  },
  {
    about: 'Spanish, an offer',
    from: 'Café Andino <info@cafeandino.example>',
    subject: 'Oferta: segundo paquete al 50 %',
    body: 'Aprovecha el descuento en toda la tienda: https://cafeandino.example/oferta',
  },
  {
    about: 'Japanese, a sale',
    from: '花屋あおい <info@aoi.example>',
    subject: '春のセール 全品20%オフ',
    body: '送料無料クーポンもご利用ください。https://aoi.example/sale',
  },
  {
    about: 'English, an invitation to a webinar',
    from: 'Plumb Software <events@plumb.example>',
    subject: 'Webinar: quoting jobs in half the time',
    body: '<p>Join us on 3 December for a live session. <a href="https://plumb.example/w">Save your seat</a></p>',
  },
];

/** Emails about one reader's own affairs, with the footers that platforms add to everything. */
export const transactionalWithWayOut: readonly UnseenMail[] = [
  {
    about: 'English, a shipping notice with a way out',
    from: 'Loom & Lark <orders@loomlark.example>',
    subject: 'Your order LL-2041 has shipped',
    fields: { 'List-Unsubscribe': '<https://loomlark.example/u/1>' },
    body: '<p>Good news, Maya: your order is on its way.</p><p><a href="https://loomlark.example/t/2041">Track your order</a></p><p>You may also like our new scarves.</p><p><a href="https://loomlark.example/u/1">Unsubscribe</a></p>',
  },
  {
    about: 'English, a receipt of a subscription',
    from: 'Cloudbarn <billing@cloudbarn.example>',
    subject: 'Receipt for your payment to Cloudbarn',
    fields: { 'Feedback-ID': '1:receipts:cloudbarn' },
    body: '<p>Amount paid: 12.00 EUR. Invoice 2026-11-118.</p><p><a href="https://cloudbarn.example/i/118">Download invoice</a></p><p>Email settings | Unsubscribe from tips</p>',
  },
  {
    about: 'German, a booking',
    from: 'Pension Seeblick <buchung@pension-seeblick.example>',
    subject: 'Ihre Buchungsbestätigung Nr. 5512',
    body: '<p>Wir freuen uns auf Sie. Anreise 4. Dezember, zwei Nächte, 178 Euro.</p><p><a href="https://pension-seeblick.example/b/5512">Buchung ansehen</a></p><p><a href="https://pension-seeblick.example/ab">Newsletter abbestellen</a></p>',
  },
  {
    about: 'English, verify one’s address',
    from: 'Pinewood Forum <hello@pinewood.example>',
    subject: 'Please confirm your email address',
    body: '<p>Welcome to Pinewood. Confirm your address to finish signing up.</p><p><a href="https://pinewood.example/c/1">Confirm</a></p><p>If you did not sign up, ignore this mail.</p>',
  },
  {
    about: 'English, a security notice',
    from: 'Harbour ID <security@harbourid.example>',
    subject: 'New sign-in to your account from Lisbon',
    body: '<p>We noticed a new sign-in from Lisbon, Portugal, today at 09:14. If this was you, you can ignore this message.</p><p><a href="https://harbourid.example/s">Check activity</a></p>',
  },
  {
    about: 'Spanish, an invoice with a way out',
    from: 'Agua Clara <facturas@aguaclara.example>',
    subject: 'Tu factura de noviembre ya está disponible',
    body: 'Importe: 31,20 €. Descárgala: https://aguaclara.example/f/9\n\nCancelar suscripción a avisos: https://aguaclara.example/baja',
  },
];

/** Letters about selling, or from someone whom the reader does not know. */
export const personalAboutBusiness: readonly UnseenMail[] = [
  {
    about: 'English, a car for sale',
    from: 'Graham Pike <graham.pike@pike.example>',
    subject: 'The old Volvo',
    body: 'Hi Jo, I am selling the Volvo after all. You said you might want it: 900 and it is yours. Graham',
  },
  {
    about: 'English, a quote that was asked for',
    from: 'Mona Fall <mona@fallroofing.example>',
    subject: 'Re: Roof repair',
    fields: { 'In-Reply-To': '<2@x.example>', References: '<1@x.example> <2@x.example>' },
    body: 'Hello Mr Webb,\nthe quote is attached: 1,240 including the gutter. We could start in March.\n\nMona Fall\nFall Roofing, 0113 496 0001',
  },
  {
    about: 'Dutch, a letter',
    from: 'Bram de Wit <bram.dewit@dewit.example>',
    subject: 'Zaterdag klussen',
    body: 'Hoi Eva, kun je zaterdag helpen met de schutting? Ik zorg voor soep. Bram',
  },
];
