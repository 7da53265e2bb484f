/** How one sending platform is set up for a domain of one's own. */
export interface Platform {
  readonly name: string;
  /** Suffixes of its hosts' names and of the domains that it signs and bounces with. */
  readonly domains: readonly string[];
  /** What its customers put into SPF; null: its return path is its own, and SPF needs nothing. */
  readonly include: string | null;
  /** Where DKIM for one's own domain is turned on, and what it has to be published there. */
  readonly dkim: string;
  /** Where a return path under one's own domain is set; null: the platform lets nobody set one. */
  readonly returnPath: string | null;
  /** The platform's page on it, to check the entry against. */
  readonly source: string;
  /** When the entry was written. */
  readonly date: string;
}

const DATE = '2026-11-22';

/** The largest ones. */
export const PLATFORMS: readonly Platform[] = [
  {
    name: 'Google Workspace',
    domains: ['google.com', 'gappssmtp.com', 'googlemail.com'],
    include: '_spf.google.com',
    dkim: 'In the Admin console open Apps > Google Workspace > Gmail > Authenticate email, generate a 2048-bit key, publish the TXT record it shows at google._domainkey, then choose Start authentication.',
    returnPath: null,
    source: 'https://support.google.com/a/answer/180504',
    date: DATE,
  },
  {
    name: 'Microsoft 365',
    domains: ['outbound.protection.outlook.com', 'onmicrosoft.com', 'outlook.com'],
    include: 'spf.protection.outlook.com',
    dkim: 'In the Defender portal open Email & collaboration > Policies & rules > Threat policies > Email authentication settings > DKIM, publish the two CNAME records it shows at selector1._domainkey and selector2._domainkey, then switch signing on.',
    returnPath: null,
    source:
      'https://learn.microsoft.com/en-us/defender-office-365/email-authentication-dkim-configure',
    date: DATE,
  },
  {
    name: 'Amazon SES',
    domains: ['amazonses.com', 'amazonaws.com'],
    include: 'amazonses.com',
    dkim: 'In the SES console open Identities, choose your domain and publish the three CNAME records shown under DomainKeys Identified Mail (Easy DKIM).',
    returnPath:
      'In the SES console open Identities > your domain > Custom MAIL FROM domain, and publish the MX and TXT records it shows.',
    source: 'https://docs.aws.amazon.com/ses/',
    date: DATE,
  },
  {
    name: 'SendGrid',
    domains: ['sendgrid.net', 'sendgrid.me'],
    include: 'sendgrid.net',
    dkim: 'Open Settings > Sender Authentication > Authenticate Your Domain and publish the three CNAME records it shows; they set up DKIM and the return path together.',
    returnPath:
      'Open Settings > Sender Authentication > Authenticate Your Domain and publish the three CNAME records it shows.',
    source:
      'https://www.twilio.com/docs/sendgrid/ui/account-and-settings/how-to-set-up-domain-authentication',
    date: DATE,
  },
  {
    name: 'Mailgun',
    domains: ['mailgun.net', 'mailgun.org', 'mailgun.info'],
    include: 'mailgun.org',
    dkim: 'Open Sending > Domains > your domain > DNS records and publish the TXT records it shows, then verify.',
    returnPath: 'Add a domain under your own under Sending > Domains; mail then bounces to it.',
    source: 'https://documentation.mailgun.com/docs/mailgun/user-manual/domains/domains-verify',
    date: DATE,
  },
  {
    name: 'Postmark',
    domains: ['mtasv.net', 'pm-bounces.com', 'postmarkapp.com'],
    include: 'spf.mtasv.net',
    dkim: 'Open Sender Signatures > your domain > DNS settings and publish the DKIM TXT record it shows.',
    returnPath:
      'Open Sender Signatures > your domain > DNS settings and publish the Return-Path CNAME it shows at pm-bounces.',
    source: 'https://postmarkapp.com/support/article/1046-how-do-i-verify-a-domain',
    date: DATE,
  },
  {
    name: 'Mailchimp',
    domains: ['mcsv.net', 'mcdlv.net', 'rsgsv.net', 'mandrillapp.com', 'mailchimpapp.net'],
    include: null,
    dkim: 'Open Account & billing > Domains > Authenticate (in Mandrill: Settings > Domains) and publish the CNAME records it shows at k2._domainkey and k3._domainkey (in Mandrill: mte1 and mte2).',
    returnPath:
      'In Mandrill open Settings > Domains > Tracking & Return-Path domain; Mailchimp campaigns have none.',
    source: 'https://mailchimp.com/help/set-up-email-domain-authentication/',
    date: DATE,
  },
  {
    name: 'Brevo',
    domains: ['sendinblue.com', 'brevo.com', 'sender-sib.com', 'brevosend.com', 'mailin.fr'],
    include: null,
    dkim: 'Open Senders, Domains & Dedicated IPs > Domains > Authenticate and publish the records it shows.',
    returnPath: null,
    source: 'https://help.brevo.com/hc/en-us/articles/12163873383186',
    date: DATE,
  },
  {
    name: 'Klaviyo',
    domains: ['klaviyomail.com', 'klaviyo.com'],
    include: null,
    dkim: 'Open Settings > Email > Domains > Get started and publish the records of a branded sending domain; they set up DKIM and the return path together.',
    returnPath: 'Open Settings > Email > Domains and set up a branded sending domain.',
    source: 'https://help.klaviyo.com/hc/en-us/articles/115000357752',
    date: DATE,
  },
  {
    name: 'HubSpot',
    domains: ['hubspotemail.net', 'hubspot.com', 'hs-send.com', 'hubspotstarter.net'],
    include: null,
    dkim: 'Open Settings > Content > Domains & URLs > Connect a domain > Email sending and publish the two CNAME records it shows.',
    returnPath: null,
    source: 'https://knowledge.hubspot.com/marketing-email/manage-email-authentication-in-hubspot',
    date: DATE,
  },
  {
    name: 'Salesforce',
    domains: ['salesforce.com', 'exacttarget.com', 'mktomail.com', 'pardot.com'],
    include: '_spf.salesforce.com',
    dkim: 'In Setup open Email > DKIM Keys > Create New Key, publish the two CNAME records it shows, then activate the key.',
    returnPath: null,
    source: 'https://help.salesforce.com/s/articleView?id=sf.emailadmin_create_secure_dkim.htm',
    date: DATE,
  },
  {
    name: 'Zoho Mail',
    domains: ['zoho.com', 'zohomail.com', 'zoho.eu', 'zeptomail.com', 'zoho.in'],
    include: 'zohomail.com',
    dkim: 'In the Admin console open Domains > your domain > Email configuration > DKIM, add a selector, publish the TXT record it shows, then verify.',
    returnPath: null,
    source: 'https://www.zoho.com/mail/help/adminconsole/dkim-configuration.html',
    date: DATE,
  },
];
