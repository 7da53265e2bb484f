import { firstNamed, type HeaderBlock } from '../syntax/header-block.ts';

/** Software that names itself in X-Mailer or User-Agent. Of two that fit the first counts. */
const PRODUCTS = [
  ...['PHPMailer', 'Swift Mailer', 'SwiftMailer', 'Symfony Mailer', 'Nodemailer', 'Apple Mail'],
  ...[
    'iPhone Mail',
    'iPad Mail',
    'Microsoft Outlook Express',
    'Microsoft Outlook',
    'Microsoft CDO',
  ],
  ...['Microsoft Office Outlook', 'Microsoft Windows Live Mail', 'Windows Live Mail'],
  ...['Microsoft Exchange', 'Mozilla Thunderbird', 'Thunderbird', 'K-9 Mail', 'FairEmail'],
  ...['eM Client', 'The Bat', 'Evolution', 'KMail', 'Kontact', 'Claws Mail', 'Sylpheed', 'Mutt'],
  ...['NeoMutt', 'Alpine', 'Gnus', 'mu4e', 'Geary', 'Mailspring', 'Airmail', 'Spark', 'BlueMail'],
  ...['Roundcube Webmail', 'Roundcube', 'SquirrelMail', 'Horde', 'Internet Messaging Program'],
  ...['RainLoop', 'SnappyMail', 'Zimbra', 'Open-Xchange Mailer', 'SOGoMail', 'Nextcloud Mail'],
  ...[
    'YahooMailWebService',
    'YMailNorrin',
    'WebService',
    'Zoho Mail',
    'Proton Mail',
    'Lotus Notes',
  ],
  ...['HCL Notes', 'Novell GroupWise', 'GroupWise', 'MDaemon', 'Kerio', 'CommuniGate Pro'],
  ...['MailChimp Mailer', 'Mailchimp', 'Mandrill', 'SendGrid', 'Mailgun', 'Mailjet', 'Postmark'],
  ...['Sendinblue', 'Brevo', 'SparkPost', 'Amazon SES', 'Amazon WorkMail', 'HubSpot', 'Klaviyo'],
  ...['Constant Contact', 'Campaign Monitor', 'ActiveCampaign', 'GetResponse', 'AWeber', 'Mautic'],
  ...[
    'MailPoet',
    'MailerLite',
    'ConvertKit',
    'Drip',
    'Customer.io',
    'Iterable',
    'Braze',
    'Emarsys',
  ],
  ...['Salesforce', 'ExactTarget', 'Marketo', 'Eloqua', 'Acoustic', 'Inxmail', 'CleverReach'],
  ...['rapidmail', 'Sendy', 'phplist', 'Acelle', 'Interspire', 'Listmonk', 'Mailman', 'Sympa'],
  ...['Discourse', 'WordPress', 'Drupal', 'Joomla', 'Magento', 'PrestaShop', 'Odoo', 'Shopify'],
  ...['Redmine', 'JIRA', 'Confluence', 'GitLab', 'Zendesk', 'Freshdesk', 'Zammad', 'OTRS', 'Znuny'],
  ...['JavaMail', 'Jakarta Mail', 'MailKit', 'MimeKit', 'Chilkat', 'Aspose.Email', 'MIME::Lite'],
  ...['MIME-tools', 'CodeIgniter', 'Laminas', 'Zend_Mail', 'Zend Framework', 'Laravel', 'CakePHP'],
  ...['Django', 'ActionMailer', 'PEAR Mail', 'swaks', 'sendEmail', 'mailx', 'msmtp', 'PHP', 'Perl'],
] as const;

/** As the report may show it: `[A-Za-z0-9 ._-]{1,40}`. */
const shown = (product: string) => product.replaceAll(/[^A-Za-z0-9 ._-]+/g, '-');

const BOUNDARY = /[^a-z0-9]/;

/** The name stands at the beginning, and is a word of its own. */
const names = (value: string, product: string): boolean => {
  const name = product.toLowerCase();
  return value.startsWith(name) && BOUNDARY.test(`${value.charAt(name.length)} `.charAt(0));
};

/**
 * What sent the mail by its own account, without its version; `other`: a word of the sender's own;
 * null: it does not say.
 */
export const mailerOf = (block: HeaderBlock): string | null => {
  const value = firstNamed(block, 'x-mailer') ?? firstNamed(block, 'user-agent');
  if (value === null) return null;
  const plain = value.toLowerCase();
  const product = PRODUCTS.find((one) => names(plain, one));
  return product === undefined ? 'other' : shown(product);
};
