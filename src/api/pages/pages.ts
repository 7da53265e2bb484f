import { errors } from '../../domain/errors.ts';
import type { describeFinding, describeFindings, describeMethod } from '../catalogue.ts';
import { formatDuration } from '../discovery/format.ts';
import { SERVICE, summary } from '../discovery/manifest.ts';
import { describeOffer } from '../discovery/offer.ts';
import type { ApiSettings } from '../options.ts';
import { html, page } from './html.ts';

/** `/`: what this is, and how to use it, readable without a script. */
export function frontPage({ baseUrl, payment, durations }: ApiSettings): string {
  const base = baseUrl();
  const { price } = describeOffer(payment);
  const window = formatDuration(durations.receiveWindowSeconds);
  const retention = formatDuration(durations.retentionSeconds);
  return page(
    SERVICE,
    html`<p>Send one real mail to a one-time address and see what mailbox providers see: SPF, DKIM, DMARC, ARC, BIMI, reverse DNS, blocklists, MTA-STS, TLS-RPT, List-Unsubscribe, headers and content, as a score from 0 to 100 with up to three fixes to make first.</p>
<p>Creating a test is free. The report costs ${price}, paid once, in USDC over x402. You need no account and no API key.</p>
<h2>Three calls</h2>
<ol>
<li><p>Create a test. Keep the <code>read_token</code>: it is shown only once. Then send one mail to the <code>address</code> within ${window}.</p>
<pre tabindex="0"><code>curl -X POST ${base}/v1/tests</code></pre></li>
<li><p>Poll the status until it is <code>ready</code>. That usually takes seconds after the mail.</p>
<pre tabindex="0"><code>curl ${base}/v1/tests/TEST_ID/status</code></pre></li>
<li><p>Read the report. The first answer is 402 with the price; an x402 client pays and repeats the request.</p>
<pre tabindex="0"><code>curl -i -H 'X-Read-Token: READ_TOKEN' '${base}/v1/report?test_id=TEST_ID'</code></pre></li>
</ol>
<h2>What you get</h2>
<p><a href="/sample-report.json">A sample report</a>, <a href="/findings">every finding</a>, and <a href="/method">how the score is computed</a>.</p>
<h2>What happens to your mail</h2>
<p>It is analysed in memory and never stored. Links in it are never opened. The report is deleted ${retention} after the mail arrived. An unused test is deleted ${retention} after its creation.</p>`,
    html`<meta name="description" content="${summary(price)}">
<meta property="og:title" content="${SERVICE}">
<meta property="og:description" content="${summary(price)}">
<meta property="og:image" content="${base}/icon.svg">`,
  );
}

/** `/errors`: what the codes of problem documents mean; their `type` leads here. */
export function errorsPage(): string {
  const rows = Object.entries(errors).map(
    ([code, { status, title }]) =>
      html`<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td>${title}</td></tr>
`,
  );
  return page(
    'Errors',
    html`<p>Every error is a problem document (RFC 9457). Its code never changes its meaning, and <code>detail</code> explains what to do. You are not charged for an error. One needs care: <code>settlement_pending</code> means that your payment may have gone through. Repeat the same request with the same PAYMENT-SIGNATURE, and do not sign a new one.</p>
<table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>
${rows}</tbody></table>`,
  );
}

/** `/findings` for people. */
export function findingsPage({ findings }: ReturnType<typeof describeFindings>): string {
  const rows = findings.map(
    ({ id, area, title }) =>
      html`<tr><th scope="row"><a href="/findings/${id}">${title}</a></th><td>${area}</td></tr>
`,
  );
  return page(
    'Findings',
    html`<p>Every finding that a report can have.</p>
<table><thead><tr><th scope="col">Finding</th><th scope="col">Area</th></tr></thead><tbody>
${rows}</tbody></table>`,
  );
}

/** `/findings/{id}` for people. */
export function findingPage(finding: ReturnType<typeof describeFinding>): string {
  const { id, area, title, fix, fixes = {}, reference, states } = finding;
  const cases = Object.values(fixes).map((text) => html`<li>${text}</li>\n`);
  const rows = states.map(
    ({ severity, points, score_cap, when }) =>
      html`<tr><th scope="row">${severity}</th><td>${points}</td><td>${score_cap ?? ''}</td><td>${when}</td></tr>
`,
  );
  return page(
    title,
    html`<p><code>${id}</code>, area ${area}</p>
<h2>How to fix it</h2>
<p>${fix}</p>
${cases.length > 0 ? html`<p>Depending on the cause:</p>\n<ul>\n${cases}</ul>` : ''}
<h2>Possible results, worst first</h2>
<table><thead><tr><th scope="col">Severity</th><th scope="col">Points</th><th scope="col">Caps the score at</th><th scope="col">When</th></tr></thead><tbody>
${rows}</tbody></table>
<p>Source: ${reference}</p>`,
  );
}

/** `/method` for people. */
export function methodPage(method: ReturnType<typeof describeMethod>): string {
  const steps = method.steps.map((step) => html`<li>${step}</li>\n`);
  const grades = Object.entries(method.grades).map(
    ([grade, from]) => html`<tr><th scope="row">${grade}</th><td>${from}</td></tr>\n`,
  );
  const caps = Object.entries(method.family_caps).map(
    ([family, cap]) => html`<tr><th scope="row">${family}</th><td>${cap}</td></tr>\n`,
  );
  return page(
    'How the score is computed',
    html`<ol>
${steps}</ol>
<p>With any finding of severity fail the score is at most ${method.any_fail_cap}.</p>
<h2>Grades</h2>
<table><thead><tr><th scope="col">Grade</th><th scope="col">From</th></tr></thead><tbody>
${grades}</tbody></table>
<h2>Most points that a family costs</h2>
<table><thead><tr><th scope="col">Family</th><th scope="col">Points</th></tr></thead><tbody>
${caps}</tbody></table>`,
  );
}
