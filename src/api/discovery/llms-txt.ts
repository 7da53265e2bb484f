import { reportUrl } from '../../domain/payment-required.ts';
import type { ApiSettings } from '../options.ts';
import { formatDuration } from './format.ts';
import { SERVICE, summary } from './manifest.ts';
import { describeOffer } from './offer.ts';

/** `/llms.txt`: everything an agent needs, in one plain text. */
export function llmsTxt(settings: ApiSettings): string {
  const { baseUrl, mailDomain, durations, contactEmail, sampleResource } = settings;
  const base = baseUrl();
  const { price, network, terms } = describeOffer(settings.payment);
  const window = formatDuration(durations.receiveWindowSeconds);
  const retention = formatDuration(durations.retentionSeconds);
  const refusal = formatDuration(durations.refusalTimeoutSeconds);

  return `# ${SERVICE}

> ${summary(price)}

## Five steps

1. Create a test (free). Keep \`read_token\`: it is shown once.

       curl -X POST ${base}/v1/tests

2. Send one real mail, from the system you want to test, to \`address\` (at ${mailDomain}) within ${window}.
3. Ask for the status (free), every \`poll_after_seconds\`, until it is \`ready\`: usually within seconds of the mail.

       curl ${base}/v1/tests/TEST_ID/status

4. Ask for the report. The answer is 402; its header PAYMENT-REQUIRED (base64 of JSON) lists what is accepted.

       curl -i -H 'X-Read-Token: READ_TOKEN' '${base}/v1/report?test_id=TEST_ID'

5. Sign an EIP-3009 transfer for one of the accepted options and repeat the call with it. Any x402 version 2 client does this, \`@x402/fetch\` for example.

       curl -H 'X-Read-Token: READ_TOKEN' -H 'PAYMENT-SIGNATURE: BASE64' '${base}/v1/report?test_id=TEST_ID'

   Reading it again is free: repeat step 4.

## Price

- ${price} a report, fixed: ${terms.amount} units of ${terms.extra?.name} (${terms.asset}) on ${network}, to ${terms.payTo}. x402 version 2, scheme "${terms.scheme}".
- Never charged: 400, 403, 404, 409, 502 and the 503 with code log_unavailable. A report is paid once and can then be read again for free.
- A 503 with code settlement_pending means that the payment may have gone through: repeat the same request with the same PAYMENT-SIGNATURE, and do not sign a new one.
${sampleResource ? `- To try it without a test: ${reportUrl(base)}?test_id=samplereport needs no token, answers 402, and serves a sample report once paid for. The same sample is free at ${base}/sample-report.json.\n` : `- A sample report is free at ${base}/sample-report.json.\n`}
## States

- waiting: no mail yet, at most ${window} after creation. After a refusal \`refusal\` says why; mend it and send again within ${refusal}.
- processing: the mail is here and is analysed; seconds.
- ready: the report can be read until ${retention} after the mail arrived; an unpaid one until \`pay_before\`.
- rejected_or_not_received: no mail came in time, or it was refused. Final.
- analysis_failed: the analysis did not end. Final; create another test.

## What it does not do

- It does not measure inbox placement, engagement or complaint rates: one mail cannot show them.
- It does not open or resolve links, and runs nothing of the mail.
- One test takes one mail. A mail that fails both SPF and DKIM, fails its sender's DMARC policy, or comes from a blocklisted IP is refused, and there is no report.

## Errors

Every error is application/problem+json with a stable \`code\`; ${base}/errors explains each. 429 and 503 carry Retry-After.

## Privacy

- The raw mail is analysed in memory and never stored. Reports hold no local parts, subject, text, file names or URL paths.
- Reports are deleted ${retention} after the mail arrived, unused tests ${retention} after creation.

## Links

- [OpenAPI 3.1](${base}/openapi.json)
- [Payment manifest](${base}/.well-known/x402)
- [Sample report](${base}/sample-report.json)
- [All findings](${base}/findings)
- [How the score is computed](${base}/method)
- [API catalog](${base}/.well-known/api-catalog)
${contactEmail === null ? '' : `\nContact: ${contactEmail}\n`}`;
}
