import { resourceUrl } from '../../domain/payment-required.ts';
import type { PaymentSettings } from '../../domain/payment-terms.ts';
import type { ApiSettings } from '../options.ts';
import { describeOffer } from './offer.ts';

export const SERVICE = 'Email deliverability test';

const costs = (payment: PaymentSettings | null) =>
  payment
    ? `Creating a test and polling its status are free. The report costs ${describeOffer(payment).price}, paid in USDC over x402.`
    : 'Everything is free.';

/** What the service does, in one paragraph. */
export const summary = (payment: PaymentSettings | null) =>
  `Get a one-time address, send one real mail to it, and read a report on its deliverability: SPF, DKIM, DMARC, ARC, BIMI, reverse DNS, blocklists, MTA-STS, TLS-RPT, List-Unsubscribe, headers and content, with a score from 0 to 100, a grade and up to three fixes to make first. ${costs(payment)} You need no account and no API key.`;

/** `/.well-known/x402`: what a report costs, and how to pay. */
export function paymentManifest({ baseUrl, mailDomain }: ApiSettings, payment: PaymentSettings) {
  const base = baseUrl();
  const { price, network, testnet, terms } = describeOffer(payment);
  const resource = resourceUrl(base);
  return {
    x402Version: 2,
    version: 1,
    name: SERVICE,
    description: summary(payment),
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

/** What clients may rely on; `docs/http-api.md` has it whole. */
export const COMPATIBILITY =
  'Within /v1 nothing is removed, renamed or given another meaning. New members, ids and codes may be added: ignore what you do not know. A call that will be switched off says so for at least six months, by the headers Deprecation (RFC 9745) and Sunset (RFC 8594).';
