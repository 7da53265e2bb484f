/**
 * Where DNS records are entered at the companies that most domains are with.
 *
 * @typedef {{ readonly name: string, readonly path: string }} DnsHost
 */

/** @type {readonly DnsHost[]} */
export const DNS_HOSTS = [
  { name: 'Cloudflare', path: 'Your domain > DNS > Records' },
  { name: 'GoDaddy', path: 'My Products > Domain > DNS' },
  { name: 'Namecheap', path: 'Domain List > Manage > Advanced DNS' },
  { name: 'IONOS', path: 'Domains & SSL > your domain > DNS' },
  { name: 'STRATO', path: 'Domains > Manage > DNS' },
  { name: 'Squarespace', path: 'Domains > your domain > DNS settings' },
  { name: 'Wix', path: 'Domains > Domain actions > Manage DNS records' },
  { name: 'Amazon Route 53', path: 'Hosted zones > your domain > Create record' },
  { name: 'OVHcloud', path: 'Web Cloud > Domain names > your domain > DNS zone' },
  { name: 'Gandi', path: 'Domain names > your domain > DNS records' },
  { name: 'Hetzner', path: 'DNS > your domain > Records' },
];
