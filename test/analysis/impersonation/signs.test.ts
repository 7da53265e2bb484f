/**
 * Tests the single signs of impersonation: display names, look-alike domains, links, reply
 * addresses and invisible characters, and what is no such sign.
 */

import { describe, expect, test } from 'vitest';
import { htmlMail, mail, read, utf8 } from '../mail/mails.ts';

type Fields = Parameters<typeof mail>[0];

const encoded = (text: string) => `=?UTF-8?B?${Buffer.from(text, 'utf8').toString('base64')}?=`;
const signsOf = (fields: Fields, body = 'Good day.') =>
  read(mail({ 'Content-Type': 'text/plain; charset=utf-8', ...fields }, utf8(body)), {
    testAddress: { localPart: 'reader', domain: 'office.example.net' },
  }).headers.impersonation.map(({ id }) => id);
const from = (name: string, domain = 'shop.example'): Fields => ({
  From: `${encoded(name)} <x@${domain}>`,
});
const linked = (text: string, host: string) =>
  read(htmlMail(`<a href="https://${host}/x">${text}</a>`)).headers.impersonation.map(
    ({ id }) => id,
  );

describe('signs that receivers read as somebody else’s name', () => {
  test.each([
    ['PayPal', ['brand_name']],
    ['PayPal Service', ['brand_name']],
    ['Microsoft 365 Support Team', ['brand_name']],
    ['DHL Express', ['brand_name']],
    ['Chase Online', ['brand_name']],
    // Names for which no source lists all domains accuse nobody.
    ['Santander Soporte', []],
    ['DPD Kundenservice', []],
    ['DocuSign via Finance', ['brand_name']],
    ['РауРаl', ['brand_name', 'mixed_letters']],
    ['Nеtflix', ['brand_name', 'mixed_letters']],
  ])('the display name %s', (name, ids) => {
    expect(signsOf(from(name))).toEqual(ids);
  });

  test.each([
    ['Netflix', 'netflx-billing.example'],
    ['PayPal Review', 'paypa1.example'],
  ])('%s at %s', (name, domain) => {
    expect(signsOf(from(name, domain))).toEqual(['brand_name', 'brand_domain']);
  });

  test.each([
    ['paypall.com', ['brand_domain']],
    ['secure-netfllix.com', ['brand_domain']],
    ['netfllix-choir.com', []],
    ['paypallets.com', []],
  ])('a doubled letter in %s', (domain, ids) => {
    expect(signsOf(from('Notice', domain))).toEqual(ids);
  });

  test('a name and a domain that contains it count as one fact', () => {
    expect(signsOf(from('Google', 'accounts-google.example'))).toEqual(['brand_name']);
    expect(signsOf(from('Accounts', 'accounts-google.example'))).toEqual(['brand_domain']);
  });

  test('letters of another script are no accident, whether or not all domains of the brand are known', () => {
    expect(signsOf(from('WeTransfer', 'wetransfr.example'))).toContain('brand_domain');
    expect(signsOf(from('WeTransfer', 'wetransfer-files.example'))).toEqual([]);
  });

  test.each([
    ['Crédit Agricole', 'client-update.example', ['brand_name']],
    ['Suporte Netflix', 'client-update.example', ['brand_name']],
    ['Obsługa klienta Netflix', 'client-update.example', ['brand_name']],
    ['Disney+', 'client-update.example', ['brand_name']],
    ['Google Calendar', 'client-update.example', ['brand_name']],
    ['Amazonカスタマーサービス', 'client-update.example', ['brand_name']],
    ['三井住友カード', 'client-update.top', ['brand_name']],
    ['微软客服', 'client-update.top', ['brand_name']],
    ['네이버 고객센터', 'client-update.top', ['brand_name']],
    ['Сбербанк Онлайн', 'client-update.top', ['brand_name']],
    ['Εθνική Τράπεζα', 'client-update.top', ['brand_name']],
    ['Ziraat Bankası', 'client-update.top', ['brand_name']],
    // An owner whose domains are not all known may have another one, in its own country or with its name.
    ['Sparkasse', 'kskmse.de', []],
    ['Crédit Agricole', 'ca-centrefrance.fr', []],
    ['三井住友カード', 'card-news.co.jp', []],
    ['DHL Parcel', 'dhlparcel.es', []],
    ['DHL', 'dhl-express-italia.it', []],
  ])('%s at %s', (name, domain, ids) => {
    expect(signsOf(from(name, domain))).toEqual(ids);
  });

  test('a foreign letter in the name of a brand whose links lead to the brand', () => {
    const letter = 'Your survey: https://www.vinted.com/survey';
    expect(signsOf(from('Vinted', 'survey-desk.com'), letter)).toEqual([]);
    expect(signsOf(from('Vinted', 'survey-desk.com'))).toEqual(['brand_name']);
  });

  test.each([
    ['Elina Virtanen <elina@virtanenoy.onmicrosoft.com>', []],
    ['Microsoft Outlook <postmaster@outlook.com>', []],
    ['Microsoft Outlook <someone@outlook.com>', ['brand_name']],
    ['Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@contoso.com>', []],
    ['GMX Kundenservice <kundenservice@gmx.net>', []],
  ])('a sender’s platform is not an impostor: %s', (From, ids) => {
    expect(signsOf({ From })).toEqual(ids);
  });

  test('a host that begins with another domain, or with the reader’s own', () => {
    expect(signsOf(from('Hr', 'office.example.net.files.example'))).toEqual(['embedded_domain']);
    expect(linked('Sign in', 'chase.com.verify.example')).toEqual(['embedded_domain']);
  });

  test('a link that shows the domain of a brand and leads elsewhere', () => {
    expect(linked('https://www.paypal.com/signin', 'pay.example')).toEqual(['brand_link']);
  });

  test('a domain that is spelled like the one to which replies go', () => {
    const answer = {
      ...from('Accounts', 'supp1ier.example'),
      'In-Reply-To': '<1@supplier.example>',
    };
    expect(signsOf(answer)).toEqual(['near_domain']);
  });

  test('a payment whose replies go elsewhere', () => {
    const fields = { ...from('Dan'), 'Reply-To': 'dan@other.example' };
    expect(signsOf(fields, 'Please buy gift cards today.')).toEqual(['money_reply']);
    expect(signsOf(fields, 'Please call me today.')).toEqual([]);
  });

  test('invisible characters within words', () => {
    expect(signsOf({}, 'ac\u200bcount pass\u200bword veri\u2060fy')).toEqual(['hidden_letters']);
  });
});

describe('names that are nobody else’s', () => {
  test.each([
    ['PayPal', 'paypal.com'],
    ['PayPal', 'mail.paypal.de'],
    ['Amazon.de', 'amazon.de'],
    ['LinkedIn', 'e.linkedin.com'],
    ['Microsoft Outlook', 'microsoft.com'],
    ['DocuSign via Finance', 'docusign.net'],
    ['Chase', 'miller.example'],
    ['Apple', 'orchard.example'],
    ['Google Developer Group Leeds', 'gdg.example'],
    ['Microsoft 365 Training Days', 'train.example'],
    ['Amazonia Travel', 'amazonia.example'],
    ['Visa Services', 'visa-services.example'],
    ['UPS Service GmbH', 'ups-service.example'],
    ['Nora Chase', 'chase.example'],
    ['Магазин WhatsAppом', 'shop.example'],
    ['3Dпринтер и iPhone', 'shop.example'],
    ['Ελληνικά Νέα', 'news.example'],
    ['NF-κB and IκBα seminar', 'news.example'],
    ['Łukasz Żak', 'zak.example'],
  ])('%s at %s', (name, domain) => {
    expect(signsOf(from(name, domain))).toEqual([]);
  });

  test.each([
    ['www.example.com', 'www.example.com'],
    ['our shop', 'news.shop.com.au'],
    ['our shop', 'click.mail.example.com'],
    ['our shop', 'www.com.example.com'],
    ['read on', 'eu.cdn.example.co.uk'],
    ['the minutes', 'hale.sharepoint.com.mcas.ms'],
  ])('a link of %s to %s', (text, host) => {
    expect(linked(text, host)).toEqual([]);
  });

  test('a journal behind the proxy of the sender’s library', () => {
    const library = from('Lena Vogt', 'bib.uni-muster.de');
    const article = (host: string) => signsOf(library, `Read https://${host}/articles/1`);
    expect(article('www.nature.com.ezproxy.bib.uni-muster.de')).toEqual([]);
    expect(article('www.nature.com.ezproxy.other.example')).toEqual(['embedded_domain']);
  });

  test('names that may break between their words', () => {
    expect(signsOf({}, 'Deck\u200bSegment\u200bLoad Wind\u200bProfile Tide\u200bTable')).toEqual(
      [],
    );
  });

  test('replies to another organization, or to the sender itself', () => {
    const other = {
      ...from('Nora', 'hale.example'),
      References: '<1@friend.example> <2@hale.example>',
    };
    expect(signsOf(other)).toEqual([]);
  });

  test('a member of a list beside its name', () => {
    const post = {
      ...from('PayPal via announce', 'lists.example'),
      'List-Post': '<mailto:a@lists.example>',
    };
    expect(signsOf(post)).toEqual([]);
  });

  test('changed bank details that a member writes to a list, or a visitor into a form', () => {
    const replies = { ...from('Nora'), 'Reply-To': 'lena.vogt@gmail.com' };
    const details = 'Our new bank details are in the letter.';
    const entered = `Name: Lena Vogt\r\nE-Mail: lena.vogt@gmail.com\r\n\r\n${details}`;
    expect(signsOf(replies, details)).toEqual(['money_reply']);
    expect(signsOf({ ...replies, 'List-Post': '<mailto:a@shop.example>' }, details)).toEqual([]);
    expect(signsOf(replies, entered)).toEqual([]);
    expect(signsOf(replies, entered.replace('E-Mail: ', 'E-Mail\r\n'))).toEqual([]);
    // In a signature, the address comes last.
    expect(signsOf(replies, `${details}\r\n\r\nE-Mail: lena.vogt@gmail.com`)).toEqual([
      'money_reply',
    ]);
  });

  test('soft hyphens, joiners of emoji and preview padding', () => {
    const text =
      'News\u00adletter ab\u00adbestellen Ver\u00adsand \u200c \u200c \u200c 👩\u200d🚀 نمی\u200cدانم';
    expect(signsOf({}, text)).toEqual([]);
  });
});
