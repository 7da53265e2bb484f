/** Cases of complete emails with various links. */

import type { Case } from '../case.ts';
import { newsletter, page, WORDS, withHtml } from '../mails.ts';
import { FLAGGED } from '../names.ts';

const a = (href: string, text = 'Look at this') => `<p><a href="${href}">${text}</a></p>`;

const links = (about: string, more: string, states: Case['states']): Case => ({
  about,
  mail: withHtml(more),
  states,
});

const IP_LINK = { link_ip_host: 'disguised' } as const;

const malformed = (about: string, href: string, states: Case['states'] = {}): Case =>
  links(about, a(href), { link_malformed: 'malformed', ...states });

const many = (n: number, href: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => a(href(i), `Book ${i}`)).join('\n');

export const linkCases: readonly Case[] = [
  links('another domain shown', a('https://www.example.com/', 'www.iana.org'), {
    link_text_mismatch: 'foreign',
  }),
  links('another URL shown', a('https://www.example.com/', 'https://www.iana.org/x'), {
    link_text_mismatch: 'foreign',
  }),
  links('click tracking behind the own domain', a('https://click.iana.org/', 'www.example.com'), {
    link_text_mismatch: 'tracked',
  }),
  links('a shortener', a('https://bit.ly/1'), { link_shortener: 'shortened' }),
  links(
    'a redirector to somebody else',
    a('https://www.google.com/url?q=https%3A%2F%2Fwww.iana.org%2F'),
    { link_shortener: 'hidden_target' },
  ),
  links('a raw IP', a('https://192.0.2.9/'), IP_LINK),
  links('an IP as one number', a('https://3221225993/'), IP_LINK),
  links('an IP in hex', a('https://0xc0000209/'), IP_LINK),
  links('a name before an @', a('https://www.bank.com@www.example.com/'), IP_LINK),
  links('another port', a('https://www.example.com:8443/'), { link_ip_host: 'odd_port' }),
  links('http://', a('http://www.example.com/'), { link_https: 'unencrypted' }),
  links("http:// to somebody else's host", a('http://whois.example.org/'), {
    link_https: 'elsewhere',
  }),
  links('an image by http://', '<img alt="x" src="http://www.example.com/i.png">', {
    link_https: 'unencrypted',
  }),
  links('a host of mixed scripts', a('https://xn--pypal-4ve.com/'), {
    link_homograph: 'confusable',
  }),
  links('a host of look-alike letters', a('https://xn--80ak6aa92e.com/'), {
    link_homograph: 'confusable',
  }),
  links(
    '51 links',
    many(49, (i) => `https://www.example.com/${i}`),
    { link_count: 'many' },
  ),
  links(
    'eleven domains',
    many(10, (i) => `https://www.shop${i}.com/`),
    { link_count: 'many' },
  ),
  {
    about: 'no link to the sender',
    mail: newsletter(
      {},
      {
        html: page(
          `<p class="preheader">Books</p><p>${WORDS}</p><img alt="x" src="https://www.example.com/i.png">${a('https://shop.example.org/u', 'Unsubscribe')}`,
        ),
      },
    ),
    states: { link_offdomain: 'none_own' },
  },
  malformed('an empty link', ''),
  malformed('a link without a scheme', 'www/books'),
  malformed('an invalid host', 'https://www..example.com/'),
  malformed('a host with something invisible in it', 'https://www.exam&#8203;ple.com/'),
  malformed('a file', 'file:///c:/a.txt'),
  malformed('localhost', 'https://localhost/'),
  malformed('a private host', 'https://intranet/'),
  malformed('a private address', 'https://10.0.0.7/'),
  links('a flagged host', a(`https://${FLAGGED}/`), { link_reputation: 'flagged' }),
];
