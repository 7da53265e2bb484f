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
  /** When it was compared with stored copies of public pages; what they did not show stands beside it. */
  readonly date: string;
}

const DATE = '2026-11-22';

/** The largest ones. */
export const PLATFORMS: readonly Platform[] = [
  {
    // Include, selector and the way to the setting: three guides of 2026 agree; Google's own page was not to be had.
    name: 'Google Workspace',
    domains: ['google.com', 'gappssmtp.com', 'googlemail.com'],
    include: '_spf.google.com',
    dkim: 'In the Admin console open Apps > Google Workspace > Gmail > Authenticate email, generate a 2048-bit key, publish the TXT record it shows at google._domainkey, then choose Start authentication.',
    returnPath: null,
    source: 'https://support.google.com/a/answer/180504',
    date: DATE,
  },
  {
    // Include, both selectors and the way to the setting: copies of Microsoft's pages of 2023 to 2025.
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
    // Custom MAIL FROM with MX and TXT, three CNAMEs of DKIM: Amazon's API reference and a customer's page.
    name: 'Amazon SES',
    domains: ['amazonses.com'],
    include: 'amazonses.com',
    dkim: 'In the SES console open Identities, choose your domain and publish the three CNAME records shown under DomainKeys Identified Mail (Easy DKIM).',
    returnPath:
      'In the SES console open Identities > your domain > Custom MAIL FROM domain, and publish the MX and TXT records it shows.',
    source: 'https://docs.aws.amazon.com/ses/',
    date: DATE,
  },
  {
    // That CNAMEs are shown there: a copy of Twilio's page. How many, its versions disagree.
    name: 'SendGrid',
    domains: ['sendgrid.net', 'sendgrid.me'],
    include: 'sendgrid.net',
    dkim: 'Open Settings > Sender Authentication > Authenticate Your Domain and publish the records it shows; they set up DKIM and the return path together.',
    returnPath:
      'Open Settings > Sender Authentication > Authenticate Your Domain and publish the records it shows.',
    source:
      'https://www.twilio.com/docs/sendgrid/ui/account-and-settings/how-to-set-up-domain-authentication',
    date: DATE,
  },
  {
    // Include and where the key is shown: a copy of Mailgun's page. A return path under one's own: from memory.
    name: 'Mailgun',
    domains: ['mailgun.net', 'mailgun.org', 'mailgun.info'],
    include: 'mailgun.org',
    dkim: 'Open Sending > Domains > your domain, publish the records of its DNS section, then verify.',
    returnPath: 'Add a domain under your own under Sending > Domains; mail then bounces to it.',
    source: 'https://documentation.mailgun.com/docs/mailgun/user-manual/domains/domains-verify',
    date: DATE,
  },
  {
    // TXT key, pm-bounces to pm.mtasv.net, no SPF term needed: four guides agree; not Postmark's own page.
    name: 'Postmark',
    domains: ['mtasv.net', 'pm-bounces.com', 'postmarkapp.com'],
    // Its bounces go to pm.mtasv.net, or to an alias of it: customers need no SPF term.
    include: null,
    dkim: 'Open Sender Signatures > your domain > DNS settings and publish the DKIM TXT record it shows.',
    returnPath:
      'Open Sender Signatures > your domain > DNS settings and publish the Return-Path CNAME it shows at pm-bounces.',
    source: 'https://postmarkapp.com/support/article/1046-how-do-i-verify-a-domain',
    date: DATE,
  },
  {
    // mte1 and mte2: Mailchimp's release note of 2023-12-19. Which selectors campaigns get, guides disagree.
    name: 'Mailchimp',
    domains: ['mcsv.net', 'mcdlv.net', 'rsgsv.net', 'mandrillapp.com', 'mailchimpapp.net'],
    include: null,
    dkim: 'Open Account & billing > Domains > Start authentication (in Mandrill: Settings > Domains) and publish the two CNAME records it shows (in Mandrill: at mte1._domainkey and mte2._domainkey).',
    returnPath:
      'In Mandrill open Settings > Domains > Tracking & Return-Path domain; Mailchimp campaigns have none.',
    source: 'https://mailchimp.com/help/set-up-email-domain-authentication/',
    date: DATE,
  },
  {
    // Records shown there, bounces to sender-sib.com: Brevo's help and a guide of 2026. The menu: from memory.
    name: 'Brevo',
    domains: ['sendinblue.com', 'brevo.com', 'sender-sib.com', 'brevosend.com', 'mailin.fr'],
    include: null,
    dkim: 'Open Senders, Domains & Dedicated IPs > Domains > Authenticate and publish the records it shows.',
    returnPath: null,
    source: 'https://help.brevo.com/hc/en-us/articles/12163873383186',
    date: DATE,
  },
  {
    // Three CNAME or NS records and a TXT, then Apply domain: copies of Klaviyo's help. The menu: not found.
    name: 'Klaviyo',
    domains: ['klaviyomail.com', 'klaviyo.com'],
    include: null,
    dkim: 'In the settings of your account open Domains, add a branded sending domain, publish the records it shows, then apply the domain; they set up DKIM and the return path together.',
    returnPath: 'In the settings of your account open Domains and set up a branded sending domain.',
    source: 'https://help.klaviyo.com/hc/en-us/articles/115000357752',
    date: DATE,
  },
  {
    // Menu, two CNAMEs, bounces to hubspotemail.net: two guides, and HubSpot's help for the records.
    name: 'HubSpot',
    domains: ['hubspotemail.net', 'hubspot.com', 'hs-send.com', 'hubspotstarter.net'],
    include: null,
    dkim: 'Open Settings > Content > Domains & URLs > Connect a domain > Email sending and publish the two CNAME records it shows.',
    returnPath: null,
    source: 'https://knowledge.hubspot.com/marketing-email/manage-email-authentication-in-hubspot',
    date: DATE,
  },
  {
    // Setup > DKIM Keys, two CNAMEs, Activate: guides that quote Salesforce's help. Include: a guide of 2026.
    name: 'Salesforce',
    domains: ['salesforce.com', 'exacttarget.com', 'pardot.com'],
    include: '_spf.salesforce.com',
    dkim: 'In Setup search for DKIM Keys, create a key of 2048 bits, publish the two CNAME records it shows, then activate the key.',
    returnPath: null,
    source: 'https://help.salesforce.com/s/articleView?id=sf.emailadmin_create_secure_dkim.htm',
    date: DATE,
  },
  {
    // Menu and TXT key: three guides. The include differs by guide and by region of the account: not certain.
    name: 'Zoho Mail',
    domains: ['zoho.com', 'zohomail.com', 'zoho.eu', 'zeptomail.com', 'zoho.in'],
    include: 'zohomail.com',
    dkim: 'In the Admin console open Domains > your domain > Email configuration > DKIM, add a selector, publish the TXT record it shows, then verify.',
    returnPath: null,
    source: 'https://www.zoho.com/mail/help/adminconsole/dkim-configuration.html',
    date: DATE,
  },
];
