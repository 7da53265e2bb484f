import { Type } from '@sinclair/typebox';
import { list, object, optional, text, texts, uri } from '../../domain/report/shapes.ts';

const PaymentOption = object('A payment that is accepted.', {
  scheme: text('The x402 scheme.', 'exact'),
  network: text('The chain id (CAIP-2).', 'eip155:8453'),
  amount: text('The price in atomic units of the asset.', '50000'),
  asset: text('The contract of the asset.', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
  payTo: text('The address to pay to.', '0x4444444444444444444444444444444444444444'),
  maxTimeoutSeconds: Type.Integer({
    description: 'Maximum number of seconds for which your authorization may be valid.',
    examples: [120],
  }),
  extra: optional(
    object('The EIP-712 domain of the asset.', {
      name: text('Its name.', 'USD Coin'),
      version: text('Its version.', '2'),
    }),
  ),
});

/**
 * Schema of the body of a 402: a problem document that is also an x402 challenge, as in `PAYMENT-REQUIRED`.
 */
export const PaymentRequired = Type.Object(
  {
    x402Version: Type.Integer({ description: 'The version of x402.', examples: [2] }),
    error: optional(text('Why the payment was not accepted.', 'insufficient_funds')),
    resource: object('What the payment is for.', {
      url: uri('The URL of the paid resource.', 'https://mailtest.example/v1/report'),
      description: text('What it is.', 'The report on one test email.'),
      mimeType: text('The media type of its response.', 'application/json'),
      serviceName: optional(text('The name of the service.', 'Email deliverability test')),
      tags: optional(texts('Search words.', ['email'])),
      iconUrl: optional(uri('An icon.', 'https://mailtest.example/icon.svg')),
    }),
    accepts: list(PaymentOption, 'The accepted payments. Sign one.'),
    extensions: optional(
      Type.Object(
        {},
        { description: 'Extensions of x402, for discovery services.', examples: [{}] },
      ),
    ),
  },
  {
    $id: 'PaymentRequired',
    description: 'A problem that is also an x402 challenge.',
    allOf: [{ $ref: 'Problem#' }],
  },
);
