/** The public API of the npm package: the functions and types that it offers to programs. */

import './polyfills.ts';
import type { DomainReport } from '../domain/report/domain-report.ts';
import type { Report } from '../domain/report/report.ts';
import { CommandError, type FailureCode, type FailureDetails } from './exit.ts';
import type { PayingAccount } from './payment/account.ts';
import { toAtomic } from './payment/limits.ts';
import { readReport as buyReport } from './payment/read-report.ts';
import { awaitResult } from './service/await-result.ts';
import {
  callPatiently,
  expectDone,
  httpCall,
  requestTest,
  type ServiceOptions,
  toSeconds,
} from './service/service-client.ts';

export type { DomainReport, FailureCode, FailureDetails, PayingAccount, Report };
export { CommandError as DeliverabilityError };

/** A service, and how long to wait for it during an outage. */
export interface Connection {
  /** URL of the service, such as `https://mailtest.example`. */
  readonly service: string;
  /** Maximum time to wait during an outage, in seconds. Default: 60. */
  readonly retryFor?: number;
  /** Called with a sentence that says what is happening. */
  readonly onProgress?: (sentence: string) => void;
}

/** A test, as returned by `createTest`. Its token opens the report, so keep it secret. */
export interface Test extends Connection {
  readonly testId: string;
  /** The address of the test. Send one real email to it before `sendBefore`. */
  readonly address: string;
  readonly readToken: string;
  /** The latest time to send the email, in RFC 3339 format. */
  readonly sendBefore: string;
}

/** The data with which a test that was created earlier can be used. */
export type KnownTest = Connection & Pick<Test, 'testId' | 'readToken'>;

const toService = ({ service, retryFor = 60, onProgress }: Connection): ServiceOptions => ({
  call: httpCall(String(service)),
  retryFor: toSeconds('retryFor', retryFor),
  note: (sentence) => onProgress?.(sentence),
});

/**
 * Creates a test, which is a one-time address for one email. Free.
 *
 * @throws DeliverabilityError
 * @example
 *   import { createTest } from 'deliverability';
 *   const test = await createTest({ service: 'https://mailtest.example' });
 *   console.log(`Send an email to ${test.address} before ${test.sendBefore}.`);
 */
export async function createTest(connection: Connection): Promise<Test> {
  const created = await requestTest(toService(connection));
  return {
    ...connection,
    testId: created.test_id,
    address: created.address,
    readToken: created.read_token,
    sendBefore: created.send_before,
  };
}

/** Settings for waiting for an email and its report. */
export interface Waiting {
  /** Maximum time to wait in total, in seconds. Default: 3600. */
  readonly timeout?: number;
  /** True to stop waiting when the email is refused, because nobody will send it again. */
  readonly stopAtRefusal?: boolean;
}

/**
 * Waits until the report of a test is ready. Free.
 *
 * @throws DeliverabilityError if there will be no report
 * @example
 *   import { createTest, waitForResult } from 'deliverability';
 *
 *   const test = await createTest({ service: 'https://mailtest.example' });
 *   console.log(`Send an email to ${test.address}.`);
 *   await waitForResult(test, { timeout: 600 });
 */
export async function waitForResult(
  test: Connection & Pick<Test, 'testId'>,
  { timeout = 3600, stopAtRefusal = false }: Waiting = {},
): Promise<void> {
  const waiting = { timeout: toSeconds('timeout', timeout), stopAtRefusal };
  await awaitResult(toService(test), test.testId, waiting);
}

/** Limits on the payment for one report. */
export interface Payment {
  /** The account that signs for you: any viem account. Without one, nothing is paid. */
  readonly account?: PayingAccount;
  /** The highest price for a report that you allow, in USD. Default: 0.05. */
  readonly maxPrice?: string;
  /** The network on which you pay, as a CAIP-2 id. Default: `eip155:8453`, which is Base. */
  readonly network?: string;
  /** The address of the only payee that you allow. */
  readonly payTo?: string;
}

/** A report, and the transaction that paid for it, if this call has paid. */
export interface BoughtReport {
  readonly report: Report;
  readonly transaction?: string;
}

/**
 * Reads the report of a test. If it is not paid for, pays for it once, within your limits.
 *
 * @throws DeliverabilityError
 * @example
 *   import { readReport } from 'deliverability';
 *   import { privateKeyToAccount } from 'viem/accounts';
 *
 *   const { TEST_ID = '', READ_TOKEN = '', WALLET_KEY } = process.env;
 *   const test = { service: 'https://mailtest.example', testId: TEST_ID, readToken: READ_TOKEN };
 *   const account = privateKeyToAccount(WALLET_KEY as `0x${string}`);
 *   const { report } = await readReport(test, { account, maxPrice: '0.05' });
 *   console.log(report.score);
 */
export async function readReport(
  test: KnownTest,
  { account, maxPrice = '0.05', network = 'eip155:8453', payTo }: Payment = {},
): Promise<BoughtReport> {
  const limits = { maxAmount: toAtomic('maxPrice', maxPrice), network, payTo: payTo ?? null };
  const purse = { key: account ?? null, limits };
  const { report, receipt } = await buyReport(toService(test), test, purse);
  return { report, ...(receipt && { transaction: receipt.transaction }) };
}

/**
 * Deletes a test and its report immediately.
 *
 * @throws DeliverabilityError
 * @example
 *   import { deleteTest } from 'deliverability';
 *   const { TEST_ID = '', READ_TOKEN = '' } = process.env;
 *   await deleteTest({ service: 'https://mailtest.example', testId: TEST_ID, readToken: READ_TOKEN });
 */
export async function deleteTest(test: KnownTest): Promise<void> {
  const headers = { 'x-read-token': test.readToken };
  const path = `/v1/tests/${test.testId}`;
  expectDone(await callPatiently(toService(test), 'DELETE', path, headers), 204);
}

/** The sources of DNS answers. */
interface DnsOptions {
  /** The text of a zone file. Records that it does not contain are unknown, unless `resolver` knows them. */
  readonly zone?: string;
  /**
   * Names of zones of which the file contains every record. Records of these zones that are not in the file
   * do not exist.
   */
  readonly wholeZones?: readonly string[];
  /**
   * A DNS server, as `HOST` or `HOST:PORT`; `system` means the DNS server of this machine. If left out, the
   * network is not used.
   */
  readonly resolver?: string;
}

/** The sources of DNS answers for an email, and the SMTP transaction in which it would arrive. */
export interface LintOptions extends DnsOptions {
  /** IP address of the server that would send the email. `helo` is the server's HELO name. */
  readonly ip?: string;
  readonly helo?: string;
  /** The envelope sender and recipient. Default: those in the headers. */
  readonly from?: string;
  readonly to?: string;
  /** Time of arrival in RFC 3339 format. Default: the Date of the email. */
  readonly at?: string;
  readonly smtputf8?: boolean;
}

/** The sources of DNS answers for a domain, and what to examine. */
export interface DomainOptions extends DnsOptions {
  /** True if the DNS server checks DNSSEC signatures and nobody on the path to it can change an answer. */
  readonly validates?: boolean;
  /** True to connect to the mail hosts on port 25 and examine their TLS. No email is sent. */
  readonly starttls?: boolean;
  /** DKIM selectors of the keys to examine. */
  readonly selectors?: readonly string[];
}

/**
 * Checks what a domain publishes before any email is sent. It needs neither the service nor a payment.
 *
 * @throws DeliverabilityError
 * @example
 *   import { checkDomain } from 'deliverability';
 *
 *   const zone = '_dmarc.example.com. 3600 IN TXT "v=DMARC1; p=none"';
 *   const { top_fixes } = await checkDomain('example.com', { zone, wholeZones: ['example.com'] });
 *   for (const { title, fix } of top_fixes) console.log(title, fix);
 */
export async function checkDomain(
  name: string,
  { selectors = [], starttls, ...dns }: DomainOptions = {},
): Promise<DomainReport> {
  const { domainReport } = await import('./domain/domain-report.ts');
  const { dnsSources } = await import('./lint/dns-options.ts');
  return domainReport(name, selectors, dnsSources(dns), starttls);
}

/** The result of `lint`. */
export interface LintResult {
  readonly report: Report;
  /** Reasons why the service would refuse this email; empty if it would accept it. */
  readonly refusal: readonly { readonly code: string; readonly detail: string }[];
  /**
   * The place of each finding in the file, by the finding's id: the line, counted from 1, and what is on it.
   */
  readonly places: Readonly<Record<string, { readonly line: number; readonly what: string }>>;
}

/**
 * Checks an email on this machine with the service's own analysis. It needs neither the service nor a
 * payment.
 *
 * @throws DeliverabilityError
 * @example
 *   import { lint } from 'deliverability';
 *
 *   const { report, places } = await lint('From: shop@example.com\n\nHello.\n');
 *   for (const { id, title } of report.top_fixes) console.log(title, places[id]?.line);
 */
export async function lint(
  mail: string | Uint8Array,
  { zone, wholeZones, resolver, ...transaction }: LintOptions = {},
): Promise<LintResult> {
  const { fileJudge } = await import('./lint/lint-file.ts');
  const { dnsSources } = await import('./lint/dns-options.ts');
  const bytes = typeof mail === 'string' ? new TextEncoder().encode(mail) : mail.slice();
  const judge = fileJudge(dnsSources({ zone, wholeZones, resolver }), transaction);
  const { report, refusal, places } = await judge(bytes);
  return { report, refusal, places };
}
