import { sampleReport } from '../../../src/analysis/sample.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import type { TestEvent } from '../../../src/domain/events.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import { TOKEN_SHA256 } from '../../api/harness.ts';
import type { serveApi } from '../../support/browser/served-api.ts';
import { type Behaviour, refuse } from '../../support/browser/wallet.ts';
import { anEvent } from '../../support/log/events.ts';
import { T0, TEST_ID } from '../../support/process/instants.ts';

type Api = Awaited<ReturnType<typeof serveApi>>;

/** A page in a state: what is there, and what a person does to see it. */
export interface State {
  readonly name: string;
  /** Below the address of the service; default: the page of the test with its token. */
  readonly path?: string;
  /** Of the test, in seconds from now. */
  readonly events?: readonly TestEvent[];
  readonly answer?: Api['paid']['answer'];
  readonly answerToPayment?: Api['paid']['answer'];
  /** Its refusals; default: no wallet. */
  readonly wallet?: Behaviour;
  /** Says that the state is reached. */
  readonly shows?: string;
  /** Buttons and summaries to press first, by their text. */
  readonly press?: readonly string[];
  readonly offline?: true;
  readonly withoutScript?: true;
}

const start = (Date.now() - T0) / 1000;
const at = (seconds: number) => start + seconds;
const created = anEvent('TestCreated', at(-120), { token_sha256: TOKEN_SHA256 });
const refusal = anEvent('MailRefused', at(-30), {
  reasons: [
    {
      code: 'spf_and_dkim_failed',
      detail: 'SPF is fail for sender.example from 192.0.2.25, and there is no DKIM signature.',
      evidence: { spf_result: 'fail', spf_domain: 'sender.example', dkim: [] },
    },
  ],
});
const arrived = anEvent('MailArrived', at(-20));
const ready = [created, arrived, anEvent('AnalysisDone', at(-10))];

const paths = ['/', '/sample', '/findings', '/findings/dkim_present', '/findings/spf_lookup_limit'];

const paidFor = (report: Report) => ({
  report: { ...report, test_id: TEST_ID },
  receipt: { success: true, transaction: `0x${'1'.repeat(64)}`, network: 'eip155:8453' },
});

const pending = new ServiceError('settlement_pending', { headers: { 'retry-after': '30' } });

/** Every page and state. */
export const statesOf = (reports: ReadonlyMap<string, Report>): readonly State[] => [
  ...[...paths, '/method', '/errors', '/privacy', '/nothing-here'].map((path) => ({
    name: path.slice(1).replaceAll('/', '-') || 'home',
    path,
  })),
  { name: 'without-script', path: `/t/${TEST_ID}`, withoutScript: true },
  { name: 'waiting', events: [created], shows: 'Waiting for your mail.' },
  {
    name: 'waiting-open',
    events: [created],
    shows: 'Waiting for your mail.',
    press: ['QR code', 'From a server', 'How to send it'],
  },
  { name: 'refused', events: [created, refusal], shows: 'Why it was refused' },
  { name: 'processing', events: [created, arrived], shows: 'Your mail is here' },
  { name: 'offline', events: [created], shows: 'Waiting for your mail.', offline: true },
  {
    name: 'rejected',
    events: [created, refusal, anEvent('RefusalTimeout', at(-1))],
    shows: 'Your mail was refused',
  },
  {
    name: 'not-received',
    events: [created, anEvent('WindowClosed', at(-1))],
    shows: 'No mail arrived',
  },
  {
    name: 'failed',
    events: [created, arrived, anEvent('AnalysisFailed', at(-1))],
    shows: 'The analysis did not finish',
  },
  { name: 'pay', events: ready, wallet: {}, shows: 'Pay with' },
  { name: 'pay-no-wallet', events: ready, shows: 'No wallet', press: ['Other ways to pay'] },
  {
    name: 'pay-declined',
    events: ready,
    wallet: { eth_signTypedData_v4: refuse(4001) },
    shows: 'You did not sign.',
    press: ['Pay with'],
  },
  {
    name: 'pay-pending',
    events: ready,
    wallet: {},
    answerToPayment: pending,
    shows: 'Do not sign again.',
    press: ['Pay with'],
  },
  { name: 'key-missing', path: `/t/${TEST_ID}`, events: ready, shows: 'The key is missing' },
  {
    name: 'key-wrong',
    path: `/t/${TEST_ID}#${'x'.repeat(43)}`,
    events: ready,
    shows: 'This key does not fit',
  },
  { name: 'deleted', events: [created, anEvent('TestDeleted', at(-1))], shows: 'was deleted' },
  {
    name: 'delete',
    events: ready,
    answer: paidFor(sampleReport),
    shows: 'It cannot be brought back.',
    press: ['Delete now'],
  },
  ...[...reports].map(([name, report]) => ({
    name: `report-${name}`,
    events: ready,
    answer: paidFor(report),
    shows: report.top_fixes.length > 0 ? 'Fix these first' : 'Nothing to fix',
  })),
];
