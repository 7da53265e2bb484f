import { reportSchemaUrl, resourceUrl } from '../../domain/payment-required.ts';
import type { PaymentSettings } from '../../domain/payment-terms.ts';
import { TRANSFER_TYPES } from '../../domain/transfer-authorization.ts';
import type { ApiSettings } from '../options.ts';
import { formatDuration } from './format.ts';
import { COMPATIBILITY, describeOffer, SERVICE, summary } from './manifest.ts';

/**
 * Builds `/llms.txt`: everything that an agent needs to use the service, in one plain-text file. It follows
 * the llmstxt.org format: a title, a summary, text without headings, then lists of links under headings.
 */
export function llmsTxt(settings: ApiSettings): string {
  const { baseUrl, mailDomain, durations, contactEmail, payment } = settings;
  const base = baseUrl();
  const window = formatDuration(durations.receiveWindowSeconds);
  const retention = formatDuration(durations.retentionSeconds);
  const refusal = formatDuration(durations.refusalTimeoutSeconds);

  return `# ${SERVICE}

> ${summary(payment)}

**How to test an email**

1. Create a test (free). Keep \`read_token\`: it is shown only once.

       curl -X POST ${base}/v1/tests

2. Send one real email to \`address\` (at ${mailDomain}) within ${window}. Send it from the system that you want to test.
3. Poll the status (free) every \`poll_after_seconds\` until it is \`ready\`. That usually happens within seconds of the email's arrival.

       curl ${base}/v1/tests/TEST_ID/status

${reading(settings).join('\n')}

**Statuses**

- \`waiting\`: no email has arrived yet. This lasts at most ${window}. After a refusal, \`refusal\` lists the reasons: fix them and send again within ${refusal}.
- \`processing\`: the email is being analysed. This takes seconds.
- \`ready\`: the report can be read until ${retention} after the email arrived.${payment ? ' Pay for it before `pay_before`.' : ''}
- \`rejected_or_not_received\`: no email arrived in time, or it was refused. Final.
- \`analysis_failed\`: the analysis did not finish. Final: create another test.

**Limits**

- A test accepts one email.
- An email that fails both SPF and DKIM, fails the DMARC policy of its sender, or comes from an IP address on a blocklist is refused. It gets no report.
- The report does not measure inbox placement, engagement or complaint rates: one email cannot show them.
- Links in the email are never opened or resolved, and nothing in it is run.

**Errors**

Every error is application/problem+json with a stable \`code\`. ${base}/errors explains each code. ${payment ? '429, 502' : '429'} and 503 carry Retry-After.

**Compatibility**

${COMPATIBILITY}

**Privacy**

- The raw email is analysed in memory and never stored. Reports contain no local parts, subject, text, file names or URL paths.
- A report is deleted ${retention} after its email arrived. An unused test is deleted ${retention} after its creation.
- Delete a test and its report immediately:

      curl -X DELETE -H 'X-Read-Token: READ_TOKEN' ${base}/v1/tests/TEST_ID${contactEmail === null ? '' : `\n\nContact: ${contactEmail}`}

## API

- [OpenAPI 3.1](${base}/openapi.json): every call, field and error
${payment ? `- [Payment manifest](${base}/.well-known/x402): price, network and payee for programs\n` : ''}- [API catalog](${base}/.well-known/api-catalog): links to every document (RFC 9727)
- ${base}/mcp: the same as tools, through the Model Context Protocol over streamable HTTP

## Reports

- [Sample report](${base}/sample-report.json): the report on a made-up email
- [Schema of the report](${reportSchemaUrl(base)}): every member, as JSON Schema
- [Findings](${base}/findings): every finding that a report can have
- [Method](${base}/method): how the score is computed
`;
}

/** Explains the last step, which is reading the report: either how to pay for it, or that it is free. */
function reading({ baseUrl, payment }: ApiSettings): readonly string[] {
  const base = baseUrl();
  const call = (headers: string) =>
    `       curl ${headers}-H 'X-Read-Token: READ_TOKEN' '${base}/v1/report?test_id=TEST_ID'`;
  if (!payment)
    return ['4. Read the report, as often as you like:', '', call(''), '', `- ${sample(base)}`];
  const { typedData, signed } = signing(payment);
  return [
    '4. Request the report. The response is 402. Its header PAYMENT-REQUIRED (base64 of JSON) lists the accepted payments in `accepts`.',
    '',
    call('-i '),
    '',
    '5. Sign an EIP-3009 transfer for one of them. Any x402 version 2 client does this and the next step, for example `@x402/fetch`. To do it by hand, sign this typed data (EIP-712) with any wallet library:',
    '',
    `       ${JSON.stringify(typedData)}`,
    '',
    `   FROM is the address of your wallet: it needs ${describeOffer(payment).price} in USDC and no ether. BEFORE is a Unix time in seconds, at most \`maxTimeoutSeconds\` from now. NONCE is 0x and 64 random hex digits.`,
    '',
    '6. Write the payment to a file, payment.json, with the same values; YOUR_SIGNATURE is 0x and hex digits. `accepted` is the entry of `accepts` that you signed for, unchanged:',
    '',
    `       ${JSON.stringify(signed)}`,
    '',
    '   Repeat the request with it. The response is 200 with the report, and the header PAYMENT-RESPONSE (base64 of JSON) is the receipt.',
    '',
    call(`-i -H "PAYMENT-SIGNATURE: $(base64 < payment.json | tr -d '\\n')" `),
    '',
    '   You can read the report again for free: repeat step 4.',
    '',
    '**Price**',
    '',
    ...priceList(base, payment),
    `- Try it without a test: ${resourceUrl(base)} needs no token, responds with 402, and serves a sample report after payment. ${base}/sample-report.json is the same report for free.`,
  ];
}

/**
 * Explains what to sign to pay for a report, and what to send. Words in capitals stand for values that the
 * payer fills in.
 */
function signing(payment: PaymentSettings) {
  const { network, terms } = describeOffer(payment);
  const authorization = {
    from: 'FROM',
    to: terms.payTo,
    value: terms.amount,
    validAfter: '0',
    validBefore: 'BEFORE',
    nonce: 'NONCE',
  };
  const typedData = {
    types: { EIP712Domain: DOMAIN_TYPE, ...TRANSFER_TYPES },
    primaryType: 'TransferWithAuthorization',
    domain: {
      ...terms.extra,
      chainId: Number(network.split(':')[1]),
      verifyingContract: terms.asset,
    },
    message: authorization,
  };
  const payload = { signature: 'YOUR_SIGNATURE', authorization };
  return { typedData, signed: { x402Version: 2, accepted: terms, payload } };
}

/** Members of the `EIP712Domain` type, for the domain of the token's contract. */
const DOMAIN_TYPE = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

const sample = (base: string) => `A sample report is free at ${base}/sample-report.json.`;

function priceList(base: string, payment: PaymentSettings): readonly string[] {
  const { price, network, terms } = describeOffer(payment);
  return [
    `- A report costs ${price}: ${terms.amount} units of ${terms.extra?.name} (${terms.asset}) on ${network}, paid to ${terms.payTo}. x402 version 2, scheme "${terms.scheme}".`,
    `- ${base}/v1/wallets/FROM says whether your wallet has enough (\`can_pay\`). Ask before the email is sent.`,
    '- You pay once. You can then read the report again for free.',
    '- You are never charged for 400, 403, 404, 409, 502, or 503 with the code log_unavailable.',
    '- 503 with the code settlement_pending means that the payment may have gone through. Repeat the same request with the same PAYMENT-SIGNATURE. Do not sign a new one.',
  ];
}
