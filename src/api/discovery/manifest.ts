import { reportUrl } from '../../domain/payment-required.ts';
import type { ApiSettings } from '../options.ts';
import { describeOffer } from './offer.ts';

export const SERVICE = 'Email deliverability test';

/** What the service does, in one paragraph. */
export const summary = (price: string) =>
  `Gives out a one-time email address, analyses the one real mail you send to it, and sells the report for ${price}: SPF, DKIM, DMARC, ARC, BIMI, reverse DNS, blocklists, MTA-STS, TLS-RPT, List-Unsubscribe, headers and content, with a score from 0 to 100, a grade and up to three things to mend first. Creating a test and asking for its status are free. No account, no API key: the report is paid with USDC over x402.`;

/** `/.well-known/x402`: what is sold here, and how to pay. */
export function paymentManifest({ baseUrl, mailDomain, payment }: ApiSettings) {
  const base = baseUrl();
  const { price, network, testnet, terms } = describeOffer(payment);
  const resource = reportUrl(base);
  return {
    x402Version: 2,
    version: 1,
    name: SERVICE,
    description: summary(price),
    network,
    testnet,
    price,
    mail_domain: mailDomain,
    resources: [resource],
    items: [{ resource, type: 'http', method: 'GET', x402Version: 2, accepts: [terms] }],
    openapi: `${base}/openapi.json`,
    llmsTxt: `${base}/llms.txt`,
  };
}
