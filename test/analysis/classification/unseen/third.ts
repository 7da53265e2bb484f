/**
 * A third set of emails that are easily misclassified: marketing without List-Unsubscribe, receipts
 * that look like bulk mail, a list post and an automatic reply.
 */

import type { UnseenMail } from './unseen-mail.ts';

/** A third set of emails: newsletters without List-Unsubscribe, and receipts that look like bulk mail. */
export const thirdMarketing: readonly UnseenMail[] = [
  {
    about: 'French, a sale with a way out in the body',
    from: 'Maison Lavande <bonjour@lavande.example>',
    subject: 'Dernières pièces : la collection lin à prix doux',
    body: '<p>Nos chemises sont à -30 % jusqu’à dimanche. Livraison offerte dès 60 €.</p><p><a href="https://lavande.example/soldes">Voir la sélection</a></p><p><a href="https://lavande.example/u/1">Se désinscrire</a></p>',
  },
  {
    about: 'English, Precedence: bulk and an offer',
    from: 'Trailhead Gear <deals@trailhead.example>',
    subject: '48 hours only: 25% off boots',
    fields: { Precedence: 'bulk' },
    body: 'For the next 48 hours every pair of boots is 25% off.\n\nUnsubscribe: https://trailhead.example/u/81',
  },
  {
    about: 'English, what a service has made',
    from: 'Orbit <team@orbit.example>',
    subject: 'What we shipped in October',
    body: '<h1>October changelog</h1><p>Dark mode, faster search and a new API. Read more on our blog.</p><p><a href="https://orbit.example/blog">Read more</a></p><p><a href="https://orbit.example/unsub">Unsubscribe</a></p>',
  },
  {
    about: 'Japanese, a coupon',
    from: 'ピザの森 <info@pizza-mori.example>',
    subject: '今週末限定クーポン',
    body: '<p>今週末はMサイズが半額です。</p><p><a href="https://pizza-mori.example/c">クーポンを使う</a></p><p><a href="https://pizza-mori.example/u">配信停止はこちら</a></p>',
  },
];

export const thirdTransactional: readonly UnseenMail[] = [
  {
    about: 'English, an order with Precedence: bulk',
    from: 'Shopnest <orders@shopnest.example>',
    subject: 'Order #88213 confirmed',
    fields: { Precedence: 'bulk' },
    body: '<p>Thanks for your order!</p><p>Order #88213, 1 x Desk lamp, total $42.00.</p><p>Ship to: J. Doe, 5 Elm St.</p><p><a href="https://shopnest.example/orders/88213">View order</a></p><p>You may also like: Lamp shade.</p>',
  },
  {
    about: 'German, an invoice with Precedence: bulk and Auto-Submitted',
    from: 'Stadtwerke Neuburg <rechnung@stadtwerke.example>',
    subject: 'Ihre Rechnung Nr. 4711 vom 02.11.2026',
    fields: { Precedence: 'bulk' },
    body: 'Sehr geehrte Frau Weber,\n\nanbei erhalten Sie Ihre Stromrechnung. Der Betrag von 84,20 EUR wird abgebucht.',
  },
  {
    about: 'Spanish, an appointment',
    from: 'Clínica Sol <citas@clinicasol.example>',
    subject: 'Recordatorio de su cita del 24 de noviembre',
    fields: { Precedence: 'bulk' },
    body: 'Estimada Sra. Ruiz:\n\nLe recordamos su cita con el Dr. Gil el 24 de noviembre a las 10:30.',
  },
  {
    about: 'English, a parcel, with notification settings',
    from: 'Freight Co <tracking@freight.example>',
    subject: 'Your parcel 1Z88 arrives today',
    fields: { Precedence: 'bulk' },
    body: '<p>Your parcel arrives today between 2 and 4 pm.</p><p><a href="https://freight.example/t/1Z88">Track it</a></p><p><a href="https://freight.example/n">Notification settings</a></p>',
  },
];

export const thirdLists: readonly UnseenMail[] = [
  {
    about: 'Norwegian, a choir on a group',
    from: 'Ingrid <ingrid@kor.example>',
    subject: '[kor] Øvelse tirsdag',
    fields: {
      'List-Id': 'Kor <kor.groups.example>',
      'List-Post': '<mailto:kor@groups.example>',
      'List-Unsubscribe': '<mailto:manage+1+unsubscribe@groups.example>',
    },
    body: 'Hei alle,\n\nvi øver tirsdag klokka 19.',
  },
];

export const thirdAutomatic: readonly UnseenMail[] = [
  {
    about: 'German, an absence without Auto-Submitted',
    from: 'Peter Kurz <peter@kurz-bau.example>',
    subject: 'Abwesenheitsnotiz: Angebot',
    fields: { 'X-Autoreply': 'yes' },
    body: 'Guten Tag,\n\nich bin bis 30.11. nicht im Haus.',
  },
];
