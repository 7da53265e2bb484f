import { describeFinding, describeFindings, describeMethod, releasedChecks } from '../catalogue.ts';
import type { CreatedTest, TestStatus } from './tests.ts';

/** Stands in examples for the address of the service. */
export const EXAMPLE_URL = 'https://mailtest.example';

const times = {
  created_at: '2026-11-20T10:00:00.000Z',
  send_before: '2026-11-20T11:00:00.000Z',
};

const createdTest: CreatedTest = {
  test_id: 'abcdefgh2345',
  address: 'abcdefgh2345@mailtest.example',
  read_token: '3q2-7wABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijk',
  status: 'waiting',
  ...times,
  expires_at: '2026-11-21T10:00:00.000Z',
  status_url: `${EXAMPLE_URL}/v1/tests/abcdefgh2345/status`,
  report_url: `${EXAMPLE_URL}/v1/report?test_id=abcdefgh2345`,
};

const testStatus: TestStatus = {
  test_id: 'abcdefgh2345',
  status: 'ready',
  ...times,
  expires_at: '2026-11-21T10:01:00.000Z',
  poll_after_seconds: 0,
  received_at: '2026-11-20T10:01:00.000Z',
  pay_before: '2026-11-21T09:58:00.000Z',
};

const [firstCheck] = releasedChecks;
const finding = firstCheck && describeFinding(firstCheck, EXAMPLE_URL);

/** A whole answer for each schema, as the service gives it; of the catalogue its first finding. */
export const examples: Readonly<Record<string, unknown>> = {
  CreatedTest: createdTest,
  TestStatus: testStatus,
  CatalogueEntry: finding,
  Catalogue: { ...describeFindings(EXAMPLE_URL), findings: [finding] },
  Method: describeMethod(EXAMPLE_URL),
};
