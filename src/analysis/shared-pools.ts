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

/** Whether a name that was confirmed belongs to a large shared sender. */
export const isSharedPool = (name: string): boolean => {
  const host = name.toLowerCase().replace(/\.$/, '');
  return SHARED_POOLS.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
};
