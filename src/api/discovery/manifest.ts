/**
 * Describes the service, its price and what clients may rely on, in words and as data. Builds
 * `/.well-known/x402` and the `Link` header that leads to the documents about the service.
 */

import { resourceUrl } from '../../domain/payment-required.ts';
import { type PaymentSettings, paymentTerms } from '../../domain/payment-terms.ts';
import { toDollars } from '../../domain/usdc.ts';
import type { PaymentRequirements } from '../../domain/x402.ts';
import type { ApiSettings } from '../options.ts';

/** CAIP-2 ids of the test networks Base Sepolia and Ethereum Sepolia. */
const TESTNETS = ['eip155:84532', 'eip155:11155111'];

/** The price of a report in the forms that documents and pages use. */
export interface Offer {
  /** The price in dollars without a sign, such as `0.05`. */
  readonly amount: string;
  /** The price as people write it, such as `$0.05`. */
  readonly price: string;
  readonly network: string;
  readonly testnet: boolean;
  /** The entry of `accepts` that a 402 contains if the report was just made. */
  readonly terms: PaymentRequirements;
}

/**
 * Describes the price, network, asset and payee in words. Apart from the 402 itself, no other code does this.
 */
export function describeOffer(settings: PaymentSettings): Offer {
  const amount = toDollars(settings.amount);
  return {
    amount,
    price: `$${amount}`,
    network: settings.network,
    testnet: TESTNETS.includes(settings.network),
    terms: paymentTerms(settings, Number.POSITIVE_INFINITY),
  };
}

export const SERVICE = 'Email deliverability test';

const costs = (payment: PaymentSettings | null) =>
  payment
    ? `Creating a test and polling its status are free. The report costs ${describeOffer(payment).price}, paid in USDC over x402.`
    : 'Everything is free.';

/** Describes the service in one paragraph. */
export const summary = (payment: PaymentSettings | null) =>
  `Get a one-time address, send one real email to it, and read a report on its deliverability: SPF, DKIM, DMARC, ARC, BIMI, reverse DNS, blocklists, MTA-STS, TLS-RPT, List-Unsubscribe, headers and content, with a score from 0 to 100, a grade and up to three fixes to make first. ${costs(payment)} You need no account and no API key.`;

/** Describes how x402 version 2 is used over HTTP. */
const PROTOCOL = {
  name: 'x402',
  version: 2,
  http_status: 402,
  challenge_header: 'PAYMENT-REQUIRED',
  payment_header: 'PAYMENT-SIGNATURE',
  receipt_header: 'PAYMENT-RESPONSE',
};

/**
 * Builds `/.well-known/x402`, which says what a report costs and how to pay. Registries accept the document
 * only with `version: 1`, which is the version of its layout; `protocol` states the version of x402.
 */
export function paymentManifest({ baseUrl, mailDomain }: ApiSettings, payment: PaymentSettings) {
  const base = baseUrl();
  const { price, network, testnet, terms } = describeOffer(payment);
  const resource = resourceUrl(base);
  return {
    x402Version: 2,
    protocol: PROTOCOL,
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

/** States which parts of the API clients may rely on. `docs/http-api.md` has the full text. */
export const COMPATIBILITY =
  'Within /v1 nothing is removed, renamed or given another meaning. New members, ids and codes may be added: ignore what you do not know. Before a call is switched off, its responses say so for at least six months, in the headers Deprecation (RFC 9745) and Sunset (RFC 8594).';

/**
 * Returns the `Link` header that leads a client from any URL of the service to the documents that describe it
 * (RFC 8288).
 */
export const discoveryLinks = (baseUrl: string) =>
  [
    `<${baseUrl}/openapi.json>; rel="service-desc"; type="application/json"`,
    `<${baseUrl}/llms.txt>; rel="service-doc"; type="text/plain"`,
    `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`,
  ].join(', ');
