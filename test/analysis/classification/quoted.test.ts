/** Tests that an email is classified by what its author wrote, not by the email that it answers or forwards. */

import { expect, test } from 'vitest';
import { mail, read, utf8 } from '../mail/mails.ts';

const NEWSLETTER = `<table><tr><td>${'abc'
  .split('')
  .map((name) => `<img src="https://shop.example/${name}.jpg" alt="x" width="600" height="300">`)
  .join('')}</td></tr></table>${'abcde'
  .split('')
  .map((name) => `<a href="https://shop.example/${name}?utm_campaign=bf">Shop now: 50% off</a> `)
  .join('')}<a href="https://shop.example/u">Unsubscribe</a>`;

const kindOf = (subject: string, body: string) => {
  const html = `<!doctype html><html lang="en"><head><title>x</title></head><body>${body}</body></html>`;
  const { classification, bulk } = read(
    mail(
      {
        From: 'Ada Kern <ada.kern@gmail.com>',
        Subject: subject,
        'Content-Type': 'text/html; charset=utf-8',
      },
      utf8(html),
    ),
  ).headers;
  return [classification.class, bulk.isBulk];
};

test.each([
  ['Gmail', `<div>Look at this.<div class="gmail_quote">${NEWSLETTER}</div></div>`],
  ['Thunderbird', `<p>Look.</p><div class="moz-forward-container">${NEWSLETTER}</div>`],
  ['Apple Mail', `<p>Look.</p><blockquote type="cite">${NEWSLETTER}</blockquote>`],
  [
    'Outlook',
    `<p>Look.</p><p><b>Von:</b> Shop<br><b>Gesendet:</b> Freitag<br><b>Betreff:</b> 50 % Rabatt</p>${NEWSLETTER}`,
  ],
  [
    'a line of dashes',
    `<p>Look.</p>-------- Weitergeleitete Nachricht --------<br>Von: Shop<br>Betreff: Rabatt<br>${NEWSLETTER}`,
  ],
])('a newsletter that %s forwards makes no bulk email', (_, body) => {
  expect(kindOf('Fwd: Black Friday: 50% off everything', body)).toEqual(['personal', false]);
});

test.each([
  ['itself', NEWSLETTER],
  ['with a quotation of a customer', `${NEWSLETTER}<blockquote>Great shop</blockquote>`],
  ['with lines like fields', `<p>Colour: red<br>Size: small<br>Price: 20</p>${NEWSLETTER}`],
])('a newsletter %s stays bulk email', (_, body) => {
  expect(kindOf('Black Friday: 50% off everything', body)).toEqual(['marketing', true]);
});
