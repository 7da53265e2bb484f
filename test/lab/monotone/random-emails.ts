/** Generates random emails from pieces that can be added and removed. */

import fc from 'fast-check';
import { SIGNED, signature } from '../../analysis/whole/keys.ts';
import { type Fields, htmlPart, newsletter, parts, textPart } from '../../analysis/whole/mails.ts';
import type { Situation } from '../../analysis/whole/publish.ts';
import type { Signature } from '../../analysis/whole/sign.ts';
import { dmarc, PTR, spf } from '../../analysis/whole/zone.ts';

/** The pieces of a body. Each can be added and removed. */
export interface Body {
  readonly words: readonly string[];
  readonly images: number;
  readonly alt: boolean;
  readonly links: number;
  readonly tagged: boolean;
  readonly networks: boolean;
  readonly template: boolean;
  readonly pixel: boolean;
  readonly preheader: boolean;
  readonly wayOut: boolean;
  readonly text: boolean;
}

/** An email as its pieces, and everything around it. */
export interface RandomEmail {
  readonly fields: Fields;
  readonly body: Body;
  readonly signs: 'all' | 'not_unsubscribe' | 'nothing';
  readonly zone: NonNullable<Situation['zone']>;
}

const FROM = [
  'Example Shop <news@example.com>',
  'Example Shop <hello@example.com>',
  'Example Shop <offers@example.com>',
  'Example Shop <no-reply@example.com>',
  'Example Sales <sales@example.com>',
  'Nora Hale <nora.hale@example.com>',
  'monitor@example.com',
];

const SUBJECTS = [
  'Five new books for long evenings',
  'Boots: 30% off until Sunday',
  'Our newsletter in November',
  'ok deal, see you at eight',
  'Sale and purchase agreement draft',
  'Your order 10428 has shipped',
  'Your invoice',
  'Your appointment on Tuesday',
  'Your trial ends on Friday',
  'Rabatt auf alle Rosen',
  'Rundbrief im Dezember',
  'Votre facture',
  'Oferta especial',
  'Disk is 93% full',
  'Re: the contract',
  'hello',
];

const SENTENCES = [
  'Good evening, winter is near and our shelves are full again.',
  'Save 20% on everything until Sunday, and shop now.',
  'In this issue we visit a workshop and read your letters.',
  'Please donate today, every gift helps.',
  'Thank you for your order 10428, the total is 20.00 and it has shipped.',
  'Your account was changed. Was this you?',
  'Your appointment is on Tuesday at nine.',
  'Can we talk about it tomorrow at ten?',
  'Jetzt kaufen und sparen, nur heute.',
  'Profitez de nos promotions.',
  'Build 1204 failed after four minutes.',
  `We have chosen five books that we like to give to friends. ${'They are long and slow and good. '.repeat(30)}`,
];

const HTTPS = '<https://www.example.com/u/1>';

const FIELDS: Readonly<Record<string, readonly (string | null | readonly string[])[]>> = {
  'List-Unsubscribe': [
    null,
    null,
    `${HTTPS}, <mailto:u@example.com>`,
    '<mailto:u@example.com>',
    '<http://www.example.com/u/1>',
    'https://www.example.com/u/1',
    '<https://www.example.com/u?a=\r\n 1>',
    '=?utf-8?Q?=3Chttps=3A//www.example.com/u=3E?=',
    '<https://localhost/u/1>',
  ],
  'List-Unsubscribe-Post': [null, null, 'List-Unsubscribe=One-Click', 'yes'],
  'List-Id': [null, null, '<news.example.com>'],
  'List-Post': [null, null, null, null, '<mailto:list@example.com>'],
  'Feedback-ID': [null, 'november:news:shop'],
  Precedence: [null, null, 'bulk', 'list', 'odd'],
  'Auto-Submitted': [null, null, 'auto-generated'],
  'X-Campaign-ID': [null, null, null, 'november'],
  'X-Mailer': [null, null, 'Mailchimp Mailer', 'Apple Mail (2.3)'],
  'In-Reply-To': [null, null, null, '<a@example.com>'],
  'Reply-To': [null, null, 'help@example.com', 'shop.example@gmail.com', 'nobody@'],
  'Message-ID': ['<b1@example.com>', '<b1@example.com>', null, 'b1', '<b1@localhost>'],
  Date: ['Fri, 20 Nov 2026 10:00:00 +0000', 'Fri, 20 Nov 2026 10:00:00 +0000', null],
};

const fields = fc
  .record({
    From: fc.constantFrom(...FROM),
    Subject: fc.constantFrom(...SUBJECTS),
    ...Object.fromEntries(
      Object.entries(FIELDS).map(([name, values]) => [name, fc.constantFrom(...values)]),
    ),
  })
  .map((all) => all as Fields);

const flag = fc.boolean();

const body: fc.Arbitrary<Body> = fc.record({
  words: fc.uniqueArray(fc.constantFrom(...SENTENCES), { minLength: 1, maxLength: 4 }),
  images: fc.nat({ max: 5 }),
  alt: flag,
  links: fc.nat({ max: 7 }),
  tagged: flag,
  networks: flag,
  template: flag,
  pixel: flag,
  preheader: flag,
  wayOut: flag,
  text: flag,
});

const ZONES: readonly RandomEmail['zone'][] = [
  {},
  {},
  {},
  spf('v=spf1 ip4:198.51.100.5 ~all'),
  { '_dmarc.example.com': null },
  dmarc('v=DMARC1; p=none'),
  { [PTR]: null },
];

/** Emails of every kind, with what receivers ask for in every state. */
export const randomEmail: fc.Arbitrary<RandomEmail> = fc.record({
  fields,
  body,
  signs: fc.constantFrom('all', 'all', 'not_unsubscribe', 'nothing'),
  zone: fc.constantFrom(...ZONES),
});

const times = (count: number, make: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => make(n)).join('\n');

const WAY_OUT = 'https://www.example.com/u/1';

function htmlOf(one: Body): string {
  const tag = one.tagged ? '?utm_medium=email' : '';
  const link = (n: number) =>
    `<p><a href="https://www.example.com/books/${n}${tag}">Book ${n}</a></p>`;
  const image = (n: number) =>
    `<img src="https://www.example.com/i/${n}.png" width="600" height="300"${one.alt ? ' alt="A book"' : ''}>`;
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Books</title>${one.template ? '<style>@media (max-width: 600px) { td { width: 100% } }</style>' : ''}</head><body>`,
    one.preheader ? '<p class="preheader">What we like to read in winter.</p>' : '',
    ...one.words.map((text) => `<p>${text}</p>`),
    times(one.images, image),
    times(one.links, link),
    one.networks
      ? '<p><a href="https://www.facebook.com/shop">Facebook</a> <a href="https://www.instagram.com/shop">Instagram</a></p>'
      : '',
    one.pixel ? '<img src="https://www.example.com/o.gif" width="1" height="1" alt="">' : '',
    one.wayOut ? `<p><a href="${WAY_OUT}">Unsubscribe from this newsletter</a></p>` : '',
    '</body></html>',
  ].join('\n');
}

const textOf = (one: Body): string =>
  [
    ...one.words,
    times(one.links, (n) => `Book ${n}: https://www.example.com/books/${n}`),
    ...(one.wayOut ? [`Unsubscribe from this newsletter: ${WAY_OUT}`] : []),
  ].join('\n\n');

const UNSUBSCRIBE = ['list-unsubscribe', 'list-unsubscribe-post'];

const signaturesOf = ({ signs }: RandomEmail): readonly Signature[] => {
  if (signs === 'nothing') return [];
  const h = signs === 'all' ? SIGNED : SIGNED.filter((name) => !UNSUBSCRIBE.includes(name));
  return [signature({ h })];
};

/** Returns the email as it is sent. */
export function toSituation(one: RandomEmail): Situation {
  const html = htmlPart(htmlOf(one.body));
  const all = one.body.text ? [textPart(textOf(one.body)), html] : [html];
  return {
    mail: newsletter(
      { 'X-Campaign-ID': null, 'List-Id': null, 'Feedback-ID': null, ...one.fields },
      { body: parts(all) },
    ),
    signatures: signaturesOf(one),
    zone: one.zone,
  };
}
