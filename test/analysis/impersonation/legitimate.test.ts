/**
 * Tests that honest senders are not taken for impostors although their names resemble a brand or
 * they write about topics of frauds, and that similar impostors are found.
 */

import { expect, test } from 'vitest';
import { mail, read, utf8 } from '../mail/mails.ts';

type Fields = Parameters<typeof mail>[0];

const encoded = (text: string) => `=?UTF-8?B?${Buffer.from(text, 'utf8').toString('base64')}?=`;
const signsOf = (fields: Fields, body: string) =>
  read(mail({ 'Content-Type': 'text/plain; charset=utf-8', ...fields }, utf8(body))).headers
    .impersonation;

/** Names that contain a brand's name, or equal it by accident, with the domains that they write from. */
const names: readonly (readonly [name: string, domain: string])[] = [
  // Companies that sell, repair or teach what a brand makes.
  ['Leeds Mac Repair', 'leedsmacrepair.com'],
  ['Apple Authorised Reseller Leeds', 'orchardit.co.uk'],
  ['Apple Premium Reseller', 'gravis-shop.de'],
  ['Microsoft Partner Contoso', 'contoso-it.com'],
  ['Microsoft Excel Kurse', 'excelkurse.de'],
  ['Google Ads Agentur Müller', 'agentur-mueller.de'],
  ['Amazon FBA Academy', 'fba-academy.com'],
  ['Amazon Seller Meetup Leeds', 'sellers-leeds.org'],
  ['Shopify Experts Berlin', 'shopexperts.de'],
  ['QuickBooks Training by Ann', 'annbooks.com'],
  ['Facebook Marketing Club', 'fbclub.org'],
  ['Instagram for Bakers', 'bakersmarketing.com'],
  ['LinkedIn Workshop Team Nord', 'nord-training.de'],
  ['Vodafone Shop Bremen', 'handyladen-bremen.de'],
  ['DHL Paketshop Kiosk am Eck', 'kiosk-am-eck.de'],
  ['Netflix Fan Club', 'fanclub.org'],
  ['PayPal Integration for Woo', 'wooplugins.com'],
  ['Zoom In Photography', 'zoomin.photo'],
  // Ordinary words, and names of people and places.
  ['Paul Chase', 'paulchase.com'],
  ['Santander Seguridad', 'bancosantander.es'],
  ['Santander Surf School', 'surfsantander.es'],
  ['Correos del Sur', 'correosdelsur.com'],
  ['Chase', 'chaseandsons.com'],
  ['Chase Farm Shop', 'chasefarm.co.uk'],
  ['Chase Miller', 'millerfamily.net'],
  ['Apple', 'applefarm.org'],
  ['Apple Tree Nursery', 'appletree.org'],
  ['Apple Pie Bakery Orders', 'applepie.com'],
  ['Target', 'target-archery.org'],
  ['Target Darts', 'targetdarts.co.uk'],
  ['Orange', 'orange-county-news.com'],
  ['Orange Grove Hotel', 'orangegrove.com'],
  ['Visa Services', 'visa-services.org'],
  ['Visa Information Centre', 'embassy-visa.org'],
  ['Shell', 'shellbeach.org'],
  ['Shell Cottage', 'shellcottage.com'],
  ['Amazon River Cruises', 'rivercruises.com'],
  ['Amazonas Reisen', 'amazonas-reisen.de'],
  ['Stripe', 'stripeshirts.com'],
  ['Steam', 'steam-engines.org'],
  ['Steam Railway Society', 'steamrailway.org'],
  ['Outlook', 'outlookmagazine.net'],
  ['Outlook Traveller', 'traveller.in'],
  ['Adobe Houses of Taos', 'taos.org'],
  ['UPS Systems', 'upssystems.com'],
  ['Santander', 'santander-turismo.es'],
  ['Correos', 'filatelia.es'],
  ['Booking Team', 'hotel-am-see.de'],
  ['Discover Card Games', 'cardgames.com'],
  ['Best Buy Windows Ltd', 'bestwindows.co.uk'],
  ['Iris Stern', 'irisstern.de'],
  ['La Poste Café', 'lapostecafe.fr'],
  ['Deutsche Post Senioren Verein', 'senioren-verein.de'],
  ['Google Summer of Code mentors', 'kde.org'],
  // The brands themselves, from all their domains.
  ['BNP Paribas', 'mabanque.bnpparibas'],
  ['DHL Express', 'mail.dhl'],
  ['Apple', 'email.apple.com'],
  ['Citibank', 'info6.citi.com'],
  ['HSBC UK', 'mail.hsbc.co.uk'],
  ['Facebook', 'facebookmail.com'],
  ['Amazon', 'amazon.co.jp'],
  ['American Express', 'welcome.americanexpress.com'],
  ['Netflix', 'mailer.netflix.com'],
  ['OneDrive', 'sharepointonline.com'],
  ['IONOS', 'ionos.de'],
  ['Steam Support', 'steampowered.com'],
  // Names in other scripts than Latin, or in several at once.
  ['Cкидки недели', 'magazin.ru'],
  ['Магазин скидкa', 'magazin.ru'],
  ['Kавкасу — туры', 'tours.ge'],
  ['ООО «ТехноLine»', 'tehnoline.ru'],
  ['Ελλάδα Travel', 'ellada.gr'],
  ['東京 Metro 案内', 'metro-info.jp'],
];

test.each(names)('%s at %s is not taken for somebody else', (name, domain) => {
  expect(signsOf({ From: `${encoded(name)} <hello@${domain}>` }, 'Good day.')).toEqual([]);
});

/** Emails about the topics that frauds are about. */
const mails: readonly (readonly [about: string, fields: Fields, body: string])[] = [
  [
    'a hosting company on a mailbox that is full',
    { From: 'Nordhost <support@nordhost.com>', Subject: 'Your mailbox is 92% full' },
    'The mailbox reader@club.org at Nordhost is 92% full. Delete mails or upgrade: https://my.nordhost.com/mail',
  ],
  [
    'a university’s helpdesk on a password, with its own links',
    { From: 'IT Helpdesk <helpdesk@leeds.ac.uk>', Subject: 'Your password expires in 7 days' },
    'Your password will expire on Friday. Change it at https://password.leeds.ac.uk',
  ],
  [
    'an office’s helpdesk that links to Microsoft',
    { From: 'Service Desk <servicedesk@harbour-shipping.com>', Subject: 'Password expiry' },
    'Your password will expire in 5 days. Go to https://passwordreset.microsoftonline.com and follow the steps.',
  ],
  [
    'an invoice by a platform, answered at a free provider',
    {
      From: 'Bob Plumbing <quickbooks@notification.intuit.com>',
      'Reply-To': 'bobplumbing@gmail.com',
      Subject: 'Invoice 1041 from Bob Plumbing',
    },
    'Your invoice is ready. Amount due 240.00. Bank transfer to the account on the invoice.',
  ],
  [
    'gift cards in a shop that is answered at its helpdesk',
    { From: 'Corner Books <news@cornerbooks.com>', 'Reply-To': 'help@cornerbooks.zendesk.com' },
    'Gift cards are back. Buy a gift card online and it arrives today.',
  ],
  [
    'an accountant on bank details, answered at the same house',
    { From: 'Anna Kern <anna@kern-steuer.de>', 'Reply-To': 'buero@kern-steuer.de' },
    'Unsere neue Bankverbindung finden Sie auf der nächsten Rechnung.',
  ],
  [
    'a code that nobody should send on',
    { From: 'Ferry Bank <no-reply@ferrybank.com>', 'Reply-To': 'care@ferrybank-help.com' },
    'Your code is 551203. Never share this code with anyone.',
  ],
  [
    'a domain of one’s own at a host that serves it',
    { From: 'Shop <news@shop.com>' },
    'https://www.shop.com.s3.amazonaws.com/catalogue.pdf https://shop.com.edgekey.net/a',
  ],
  [
    'a newsletter on phishing',
    { From: 'Security Weekly <letter@securityweekly.com>', Subject: 'How phishing works' },
    'This week: mails that say your mailbox is full, your password expires, or ask you to buy gift cards. https://securityweekly.com/12',
  ],
  [
    'an answer to another firm',
    {
      From: 'Nora <nora@hale.com>',
      'In-Reply-To': '<1@halo.com>',
      References: '<1@halo.com>',
    },
    'Thanks, we will transfer it on Monday.',
  ],
];

test.each(mails)('%s is not taken for somebody else', (_, fields, body) => {
  expect(signsOf(fields, body)).toEqual([]);
});

/** The other side: senders who could not be the reader’s mail system. */
test.each([
  ['IT Helpdesk <helpdesk@webmail-quota.com>', 'https://webmail-quota.com/a'],
  ['Mail Administrator <itdesk1977@gmail.com>', 'https://forms.example.com/a'],
  ['Webmail Support <info@bakery-lune.fr>', 'https://login.weeebly.io/a'],
])('%s claims to be the reader’s mail system', (From, link) => {
  const found = signsOf({ From }, `Your mailbox is 98% full. Upgrade now: ${link}`);
  expect(found.map(({ id }) => id)).toEqual(['mail_system']);
});

test.each([
  'Please reply with the verification code that you have just received.',
  'Can you buy some gift cards for me?',
  'Our bank details have changed.',
])('%s, with replies to another organization, is a request in somebody else’s name', (body) => {
  const found = signsOf(
    { From: 'Dan <dan@harbour.com>', 'Reply-To': 'dan@harbor-office.com' },
    body,
  );
  expect(found.map(({ id }) => id)).toEqual(['money_reply']);
});
