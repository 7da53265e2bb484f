import { organizationalDomain } from '../names/domain-names.ts';

/** A name that readers trust, and the first labels of the domains that are its owner's. */
export interface Brand {
  readonly name: string;
  readonly owners: readonly string[];
  /** A word or a name of its own: it says something beside others alone, as in "Chase Online". */
  readonly isWord?: true;
}

const brand = (name: string, ...owners: string[]): Brand => ({
  name,
  owners: [name.toLowerCase().replace(/[^a-z0-9]/g, ''), ...owners],
});

const word = (name: string, ...owners: string[]): Brand => ({
  ...brand(name, ...owners),
  isWord: true,
});

/** What is imitated most. Whose domains are many and free to choose, such as Sparkasse, is left out. */
export const BRANDS: readonly Brand[] = [
  brand('PayPal', 'paypal-communication', 'paypal-brandsupport', 'venmo', 'xoom'),
  brand('Microsoft', 'microsoftonline', 'office', 'office365', 'outlook', 'live', 'azure', 'xbox'),
  brand('Office 365', 'microsoft', 'microsoftonline', 'office'),
  brand('OneDrive', 'microsoft', 'live', 'sharepointonline'),
  brand('SharePoint', 'microsoft', 'sharepointonline'),
  word('Outlook', 'microsoft', 'live', 'office365'),
  brand('Google', 'youtube', 'gmail', 'googlemail', 'android', 'withgoogle'),
  brand('Gmail', 'google', 'googlemail'),
  brand('YouTube', 'google'),
  word('Apple', 'icloud', 'itunes', 'me'),
  brand('iCloud', 'apple'),
  brand('iTunes', 'apple'),
  brand('Amazon', 'amazonses', 'amazonaws', 'audible', 'primevideo', 'kindle', 'amzn', 'aws'),
  brand('Facebook', 'facebookmail', 'fb', 'meta', 'instagram'),
  brand('Instagram', 'facebookmail', 'facebook', 'meta'),
  brand('WhatsApp', 'facebook', 'meta'),
  brand('LinkedIn', 'microsoft'),
  brand('TikTok', 'bytedance'),
  brand('Netflix'),
  brand('Spotify'),
  brand('Disney Plus', 'disney', 'disneyplus', 'go'),
  brand('DHL', 'deutschepost', 'dpdhl'),
  brand('FedEx'),
  word('UPS'),
  brand('USPS'),
  word('DPD', 'dpdgroup'),
  brand('Royal Mail', 'royalmailgroup'),
  brand('Deutsche Post', 'dhl', 'dpdhl'),
  brand('La Poste', 'colissimo', 'chronopost'),
  word('Correos'),
  brand('PostNL'),
  brand('eBay'),
  brand('AliExpress', 'alibaba'),
  brand('Booking.com', 'booking'),
  brand('Airbnb'),
  brand('DocuSign'),
  brand('Dropbox', 'dropboxmail', 'hellosign'),
  brand('WeTransfer'),
  word('Adobe', 'adobesign', 'echosign'),
  brand('Coinbase'),
  brand('Binance'),
  brand('MetaMask', 'consensys'),
  brand('Trust Wallet'),
  brand('Blockchain.com', 'blockchain'),
  word('Chase', 'jpmorgan', 'jpmchase'),
  brand('Bank of America', 'bofa'),
  brand('Wells Fargo'),
  brand('Citibank', 'citi'),
  brand('Capital One'),
  brand('American Express', 'aexp', 'amex'),
  brand('Mastercard'),
  brand('HSBC'),
  brand('Barclays', 'barclaycard'),
  brand('Lloyds Bank', 'lloydsbanking'),
  brand('NatWest'),
  word('Santander', 'bancosantander', 'gruposantander', 'santanderbank', 'santanderconsumer'),
  brand('Banco Santander', 'santander', 'gruposantander'),
  brand('BBVA'),
  brand('CaixaBank'),
  brand('Commerzbank'),
  brand('Deutsche Bank', 'db'),
  brand('BNP Paribas', 'bnpparibas'),
  brand('UniCredit'),
  brand('Revolut'),
  brand('Klarna'),
  brand('Western Union'),
  brand('MoneyGram'),
  word('IRS'),
  brand('HMRC'),
  brand('McAfee'),
  brand('Norton LifeLock', 'norton', 'gendigital'),
  brand('Geek Squad', 'bestbuy'),
  brand('Best Buy'),
  brand('Walmart'),
  brand('Costco'),
  brand('GoDaddy', 'secureserver'),
  brand('IONOS', '1und1', '1and1'),
  brand('Intuit', 'quickbooks'),
  brand('QuickBooks', 'intuit'),
  brand('Shopify', 'shopifyemail'),
  word('Stripe'),
  word('Zoom'),
  word('Steam', 'steampowered', 'valvesoftware'),
  brand('Vodafone'),
];

/** Whether a domain is of the owner of a brand, who may have an ending of its own (`.dhl`). */
export function isOwners(domain: string, { owners }: Brand): boolean {
  const labels = organizationalDomain(domain).split('.');
  const ending = labels.at(-1) ?? '';
  // Endings of two letters are countries'.
  return owners.includes(labels[0] ?? '') || (ending.length > 2 && owners.includes(ending));
}

/** Whether a host belongs to the owner of any brand here. */
export const isSomeBrands = (host: string): boolean =>
  BRANDS.some((brand) => isOwners(host, brand));

/** What makes a plain word a brand that speaks: `Chase Online`, but not `UPS Service GmbH`. */
export const BRAND_ROLES: ReadonlySet<string> = new Set(
  (
    'support security online alert alerts account accounts billing id express delivery tracking bank fraud ' +
    'verification notification notifications refund refunds soporte seguridad sicherheit kundenservice ' +
    'kundendienst assistenza sicurezza'
  ).split(' '),
);

/** What senders add to their name: with one of these it is still the brand that speaks. */
export const ROLE_WORDS: ReadonlySet<string> = new Set(
  (
    'account accounts admin administration alert alerts bank banking billing care center centre ' +
    'client clients com company corp corporation customer customers delivery department desk direct ' +
    'express finance fraud gmbh help helpdesk id inc info information invoice invoices limited ' +
    'llc ltd mail mailbox member members message messages no noreply notice notices notification ' +
    'notifications office official online order orders parcel pay payment payments prime refund ' +
    'refunds reply resolution review rewards secure security server service services shipping sign ' +
    'support team tracking update updates verification verify wallet 365 aktuell kundenservice ' +
    'kundendienst sicherheit konto service-client equipo equipe seguridad soporte assistenza ' +
    'servizio sicurezza clienti atendimento cliente de fr es it uk us eu international'
  ).split(' '),
);
