// Walks every path through the delivery test's state machine that a client can cause, against a running
// service:
//
// node machines/example.mjs http://127.0.0.1:8080 127.0.0.1:2525
//
// You may add the envelope of an email that the service accepts, and of one that it refuses. The defaults are
// those of the demo.
import { connect } from 'node:net';
import { getSimplePaths } from 'xstate/graph';
import { deliveryTest } from './delivery-test.ts';

const [http = '', smtp = '', good = 'shop@sender.example', bad = 'shop@elsewhere.example'] =
  process.argv.slice(2);

const at = (/** @type {number} */ minute) =>
  new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

/** @type {import('./delivery-test.ts').DeliveryTestEvent[]} */
const events = [
  {
    type: 'TestCreated',
    at: at(0),
    data: { token_sha256: '', send_before: at(60), expires_at: at(1440) },
  },
  { type: 'MailRefused', at: at(1), data: { reasons: [] } },
  { type: 'MailArrived', at: at(2), data: { attempt: 1, digest: '' } },
  { type: 'AnalysisDone', at: at(3), data: { attempt: 1, report_seq: 1 } },
  { type: 'TestDeleted', at: at(4), data: {} },
];

// Two states are the same if the API shows them in the same way. If their context counted too, each refusal
// would lead to a new state.
const paths = getSimplePaths(deliveryTest, {
  events,
  serializeState: ({ value }) => JSON.stringify(value),
  // No test is ended during its analysis, because the SMTP reply comes only after the analysis.
  filterEvents: ({ value }, { type }) => value !== 'processing' || type === 'AnalysisDone',
});

/**
 * Returns what the status endpoint should show for a state. `processing` may already be over when the
 * endpoint is queried.
 */
function shown(/** @type {import('xstate').StateValue} */ value) {
  if (value === 'unknown' || value === 'expired') return ['404'];
  if (value === 'processing') return ['processing', 'ready'];
  return [typeof value === 'string' ? value : 'waiting'];
}

/** Sends one email by SMTP and returns the code of the last reply. */
async function send(/** @type {string} */ from, /** @type {string} */ to) {
  const domain = from.split('@')[1];
  const text = `From: ${from}\r\nTo: ${to}\r\nSubject: Hello\r\nDate: ${new Date().toUTCString()}\r\n\r\nHello.\r\n.`;
  const lines = [`EHLO mail.${domain}`, `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA', text];
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(smtp) ?? [];
  const socket = connect(Number(port), host);
  socket.setEncoding('latin1');
  let code = 0;
  let left = '';
  for await (const chunk of socket) {
    left += chunk;
    const last = /^(\d{3}) .*\r\n$/m.exec(left);
    if (!last) continue;
    left = '';
    code = Number(last[1]);
    const line = lines.shift();
    if (line === undefined || code >= 400) break;
    socket.write(`${line}\r\n`);
  }
  socket.destroy();
  return code;
}

/** @returns {Promise<any>} */
const json = (/** @type {Response} */ answer) => answer.json();

/** Triggers each event and returns what went wrong. */
async function walk(/** @type {(typeof paths)[number]} */ { steps }) {
  let test = { test_id: 'aaaaaaaaaaaa', address: '', read_token: '' };
  for (const { event, state } of steps) {
    const url = `${http}/v1/tests`;
    if (event.type === 'TestCreated') test = await json(await fetch(url, { method: 'POST' }));
    if (event.type === 'MailRefused') {
      const code = await send(bad, test.address);
      if (code < 500) return `the mail to be refused got ${code}`;
    }
    if (event.type === 'MailArrived') {
      const code = await send(good, test.address);
      if (code !== 250) return `the mail to be taken got ${code}`;
    }
    const headers = { 'x-read-token': test.read_token };
    if (event.type === 'TestDeleted')
      await fetch(`${url}/${test.test_id}`, { method: 'DELETE', headers });

    const answer = await fetch(`${url}/${test.test_id}/status`);
    const found = answer.ok ? (await json(answer)).status : String(answer.status);
    if (!shown(state.value).includes(found))
      return `after ${event.type}: ${found}, not ${shown(state.value)}`;
  }
  return undefined;
}

let failed = 0;
for (const path of paths) {
  const fault = await walk(path);
  if (fault) failed += 1;
  // The first step is the machine's own start.
  const title = path.steps.slice(1).map(({ event }) => event.type);
  console.log(
    `${fault ? 'not ok' : 'ok'} - ${['unknown', ...title].join(', ')}${fault ? `: ${fault}` : ''}`,
  );
}
console.log(`${paths.length} paths, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
