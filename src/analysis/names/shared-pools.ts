import { PLATFORMS } from '../../domain/platforms.ts';
import { isFreemail } from './freemail.ts';

/**
 * Domains of large senders whose IPs many customers share: a listing of one says little of the
 * customer. Judged by forward-confirmed names only, since anybody can claim a name.
 */
const SHARED_POOLS: readonly string[] = [
  ...PLATFORMS.flatMap(({ domains }) => domains),
  'cmail19.com',
  'cmail20.com',
  'constantcontact.com',
  'emailsrvr.com',
  'hostedemail.com',
  'icloud.com',
  'infomaniak.ch',
  'kasserver.com',
  'kundenserver.de',
  'mail-out.ovh.net',
  'mail.gandi.net',
  'mailjet.com',
  'messagelabs.com',
  'messagingengine.com',
  'mimecast.com',
  'perfora.net',
  'pphosted.com',
  'privateemail.com',
  'protonmail.ch',
  'rzone.de',
  'sparkpostmail.com',
  'titan.email',
  'yahoo.com',
  'yandex.net',
];

/** What customers of a pool put into their SPF record, as the provider documents it. */
const INCLUDES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    PLATFORMS.flatMap(({ domains, include }) =>
      include === null ? [] : domains.map((domain) => [domain, include]),
    ),
  ),
  'emailsrvr.com': 'emailsrvr.com',
  'icloud.com': 'icloud.com',
  'infomaniak.ch': 'spf.infomaniak.ch',
  'kasserver.com': 'spf.kasserver.com',
  'mail-out.ovh.net': 'mx.ovh.com',
  'mail.gandi.net': '_mailcust.gandi.net',
  'mailjet.com': 'spf.mailjet.com',
  'mandrillapp.com': 'spf.mandrillapp.com',
  'mcsv.net': 'servers.mcsv.net',
  'messagingengine.com': 'spf.messagingengine.com',
  'mtasv.net': 'spf.mtasv.net',
  'privateemail.com': 'spf.privateemail.com',
  'protonmail.ch': '_spf.protonmail.ch',
  'sparkpostmail.com': 'sparkpostmail.com',
  'yandex.net': '_spf.yandex.net',
};

const isOf = (name: string, suffix: string): boolean => {
  const host = name.toLowerCase().replace(/\.$/, '');
  return host === suffix || host.endsWith(`.${suffix}`);
};

/** The SPF term for the pool that a confirmed name belongs to; `undefined`: not known. */
export const poolTerm = (name: string): string | undefined => {
  const pool = Object.entries(INCLUDES).find(([suffix]) => isOf(name, suffix));
  return pool && `include:${pool[1]}`;
};

/** Whether a name that was confirmed belongs to a large shared sender. */
export const isSharedPool = (name: string): boolean =>
  SHARED_POOLS.some((suffix) => isOf(name, suffix));

/** Whether only a provider can change the records of a domain. */
export const isProviderDomain = (domain: string): boolean =>
  isFreemail(domain) || isSharedPool(domain);
