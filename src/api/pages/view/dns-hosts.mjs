/**
 * Lists the largest DNS hosting companies with the place where their customers enter records, and recognizes
 * a company by its name servers.
 *
 * @typedef {{ readonly name: string, readonly servers: RegExp, readonly path: string }} DnsHost `servers`:
 * matches the end of the names of its name servers
 */

/** @type {readonly DnsHost[]} */
export const DNS_HOSTS = [
  { name: 'Cloudflare', servers: /\.ns\.cloudflare\.com$/, path: 'Your domain > DNS > Records' },
  { name: 'GoDaddy', servers: /\.domaincontrol\.com$/, path: 'My Products > Domain > DNS' },
  {
    name: 'Namecheap',
    servers: /\.(registrar-servers|namecheaphosting)\.com$/,
    path: 'Domain List > Manage > Advanced DNS',
  },
  {
    name: 'IONOS',
    servers: /\.ui-dns\.(com|de|org|biz)$/,
    path: 'Domains & SSL > your domain > DNS',
  },
  { name: 'STRATO', servers: /\.(rzone\.de|strato-hosting\.eu)$/, path: 'Domains > Manage > DNS' },
  {
    name: 'Squarespace',
    servers: /\.(squarespacedns|googledomains)\.com$/,
    path: 'Domains > your domain > DNS settings',
  },
  {
    name: 'Wix',
    servers: /\.wixdns\.net$/,
    path: 'Domains > Domain actions > Manage DNS records',
  },
  {
    name: 'Amazon Route 53',
    servers: /\.awsdns-\d+\./,
    path: 'Hosted zones > your domain > Create record',
  },
  {
    name: 'OVHcloud',
    servers: /\.(ovh\.(net|ca)|anycast\.me)$/,
    path: 'Web Cloud > Domain names > your domain > DNS zone',
  },
  { name: 'Gandi', servers: /\.gandi\.net$/, path: 'Domain names > your domain > DNS records' },
  {
    name: 'Hetzner',
    servers: /\.(ns\.hetzner\.(com|de)|your-server\.de|first-ns\.de|second-ns\.(com|de))$/,
    path: 'DNS > your domain > Records',
  },
  {
    name: 'DigitalOcean',
    servers: /\.digitalocean\.com$/,
    path: 'Networking > Domains > your domain',
  },
  {
    name: 'Microsoft Azure',
    servers: /\.azure-dns\.(com|net|org|info)$/,
    path: 'DNS zones > your domain > Recordsets',
  },
  { name: 'Hostinger', servers: /\.dns-parking\.com$/, path: 'Domains > your domain > DNS' },
];

/**
 * Returns the DNS company to which the name servers of a domain belong. @param {readonly string[]} servers
 */
export const findDnsHost = (servers) =>
  DNS_HOSTS.find((host) => servers.some((name) => host.servers.test(name)));
