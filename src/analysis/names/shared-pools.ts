import { isFreemail } from './freemail.ts';

/**
 * Domains of large senders whose IPs many customers share: a listing of one says little of the
 * customer. Judged by forward-confirmed names only, since anybody can claim a name.
 */
const SHARED_POOLS = [
  'amazonses.com',
  'cmail19.com',
  'cmail20.com',
  'constantcontact.com',
  'exacttarget.com',
  'google.com',
  'hubspotemail.net',
  'icloud.com',
  'mailgun.net',
  'mailgun.org',
  'mailjet.com',
  'mandrillapp.com',
  'mcdlv.net',
  'mcsv.net',
  'messagelabs.com',
  'messagingengine.com',
  'mimecast.com',
  'mtasv.net',
  'outbound.protection.outlook.com',
  'pphosted.com',
  'rsgsv.net',
  'sendgrid.net',
  'sparkpostmail.com',
  'yahoo.com',
  'zoho.com',
];

/** What customers of a pool put into their SPF record, as the provider documents it. */
const INCLUDES: Readonly<Record<string, string>> = {
  'amazonses.com': 'amazonses.com',
  'google.com': '_spf.google.com',
  'icloud.com': 'icloud.com',
  'mailgun.net': 'mailgun.org',
  'mailgun.org': 'mailgun.org',
  'mailjet.com': 'spf.mailjet.com',
  'mandrillapp.com': 'spf.mandrillapp.com',
  'mcsv.net': 'servers.mcsv.net',
  'messagingengine.com': 'spf.messagingengine.com',
  'mtasv.net': 'spf.mtasv.net',
  'outbound.protection.outlook.com': 'spf.protection.outlook.com',
  'sendgrid.net': 'sendgrid.net',
  'sparkpostmail.com': 'sparkpostmail.com',
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
