/** Lists things that receivers ask for, each with the emails that have it and lack it. */

import type { Fields } from '../../analysis/whole/mails.ts';
import type { Body, RandomEmail } from './random-emails.ts';

/** Something that receivers ask for or checks praise: an email with it, and the same email without. */
export interface GoodThing {
  readonly name: string;
  readonly add: (one: RandomEmail) => RandomEmail;
  readonly remove: (one: RandomEmail) => RandomEmail;
}

const withFields = (one: RandomEmail, fields: Fields): RandomEmail => ({
  ...one,
  fields: { ...one.fields, ...fields },
});

const field = (name: string, value: string): GoodThing => ({
  name,
  add: (one) => withFields(one, { [name]: value }),
  remove: (one) => withFields(one, { [name]: null }),
});

const withBody = (one: RandomEmail, body: Partial<Body>): RandomEmail => ({
  ...one,
  body: { ...one.body, ...body },
});

const piece = (name: keyof Body): GoodThing => ({
  name: `body: ${name}`,
  add: (one) => withBody(one, { [name]: true }),
  remove: (one) => withBody(one, { [name]: false }),
});

const LIST = '<https://www.example.com/u/1>, <mailto:u@example.com>';
const POST = 'List-Unsubscribe=One-Click';

export const goodThings: readonly GoodThing[] = [
  field('List-Unsubscribe', LIST),
  {
    ...field('List-Unsubscribe', '<mailto:u@example.com>'),
    name: 'List-Unsubscribe by mailto',
    // To replace an https address with this one would remove a better thing.
    add: (one) =>
      one.fields['List-Unsubscribe'] === null
        ? withFields(one, { 'List-Unsubscribe': '<mailto:u@example.com>' })
        : one,
  },
  field('List-Unsubscribe-Post', POST),
  {
    name: 'one-click',
    add: (one) => withFields(one, { 'List-Unsubscribe': LIST, 'List-Unsubscribe-Post': POST }),
    remove: (one) => withFields(one, { 'List-Unsubscribe': null, 'List-Unsubscribe-Post': null }),
  },
  field('List-Id', '<news.example.com>'),
  field('Feedback-ID', 'november:news:shop'),
  {
    ...field('Precedence', 'bulk'),
    // A list that says so is another kind of email, not an email that lacks something.
    add: (one) => (one.fields.Precedence === null ? withFields(one, { Precedence: 'bulk' }) : one),
  },
  field('Auto-Submitted', 'auto-generated'),
  field('Message-ID', '<b1@example.com>'),
  field('Date', 'Fri, 20 Nov 2026 10:00:00 +0000'),
  field('Reply-To', 'help@example.com'),
  piece('alt'),
  piece('preheader'),
  piece('wayOut'),
  piece('text'),
  {
    name: 'every way out',
    add: (one) => withBody(withFields(one, { 'List-Unsubscribe': LIST }), { wayOut: true }),
    remove: (one) => withBody(withFields(one, { 'List-Unsubscribe': null }), { wayOut: false }),
  },
  {
    name: 'a signature',
    add: (one) => ({ ...one, signs: 'all' }),
    remove: (one) => ({ ...one, signs: 'nothing' }),
  },
  {
    name: 'the right zone',
    add: (one) => ({ ...one, zone: {} }),
    remove: (one) => ({ ...one, zone: { ...one.zone, '_dmarc.example.com': null } }),
  },
];
