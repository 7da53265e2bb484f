/** Declares the schema of a report's facts about the links in an email. */

import type { Static } from '@sinclair/typebox';
import { count, dateTime, domain, flag, list, nullable, object, texts, words } from './shapes.ts';

/** Schema of a host to which links in the email point. The host was neither opened nor resolved. */
const LinkDomain = object('One host.', {
  host: domain('The host.', 'www.sender.example'),
  organizational_domain: nullable(domain('The organizational domain of the host.')),
  count: count('Links and images that name it.', 3),
  schemes: texts('The URL schemes.', ['https']),
  roles: list(words(['link', 'image', 'unsubscribe'], 'One role.'), 'What the links are for.', [
    'link',
  ]),
  aligned_with_from: flag('Whether it belongs to the organization of the From domain.'),
  shortener: flag('Whether it is a known link shortener.', false),
  ip_literal: flag('Whether it is an IP address.', false),
  idn: flag('Whether it has characters beyond ASCII.', false),
  non_default_port: flag('Whether a link names a port.', false),
  reputation: words(
    ['clean', 'listed', 'not_checked', 'error'],
    'The answer of the web-risk service.',
    'not_checked',
  ),
  threats: texts('The threats that it names.', ['MALWARE']),
  expires_at: nullable(dateTime('When that answer stops being valid.', '2026-11-20T10:06:01.000Z')),
});

export const Links = object(
  'The hosts that links and images name. They are never opened or resolved.',
  {
    status: words(
      ['checked', 'partly_checked', 'not_checked'],
      'Whether the hosts were checked with a web-risk service.',
      'not_checked',
    ),
    provider: nullable(words(['google_web_risk'], 'The web-risk service.')),
    checked_at: nullable(dateTime('When it was queried.', '2026-11-20T10:01:01.000Z')),
    total: count('Links in the email.', 3),
    distinct_domains: count('Different hosts in links and images.', 1),
    non_https: count('Links and images over plain HTTP.', 0),
    text_mismatches: list(
      object('A link whose text shows another domain.', {
        shown_domain: domain('The domain in the text.', 'bank.example'),
        target_domain: domain('The domain in the link.'),
      }),
      'Links whose text shows another domain.',
    ),
    domains: list(LinkDomain, 'The hosts.'),
  },
);
export type Links = Static<typeof Links>;
