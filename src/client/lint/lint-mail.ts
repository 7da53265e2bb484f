/**
 * Analyses an email from a file in the same way as the service would, but fetches nothing over HTTP, and says
 * whether the service would refuse it.
 */

import { checkHost } from '../../adapters/mailauth/check-host.ts';
import { verifyMail } from '../../adapters/mailauth/verify.ts';
import type { Facts } from '../../analysis/facts.ts';
import { judgeGate } from '../../analysis/gate.ts';
import { unseen } from '../../analysis/lookup-result.ts';
import { guardInput } from '../../analysis/mail/input-guard.ts';
import { makeReport } from '../../analysis/report.ts';
import type { RefusalReason } from '../../domain/events.ts';
import { Overloaded } from '../../domain/overloaded.ts';
import type { Report } from '../../domain/report/report.ts';
import { createInspect } from '../../inspection/inspect.ts';
import { unopened } from '../../inspection/not-fetched.ts';
import { readAuthentication, readContentPart } from '../../inspection/read-parts.ts';
import type { AskFilters } from '../../ports/filters.ts';
import type { ClientFacts, EnvelopeFrom, ProviderBlock } from '../../ports/mail.ts';
import type { BeginReading } from '../../ports/reading.ts';
import { CommandError } from '../exit.ts';
import { type DnsSources, zoneResolver } from './zone-resolver.ts';

/** The default of the service's setting `REFUSAL_BLOCKLISTS`. */
const REFUSAL_BLOCKLISTS = ['psbl.surriel.com'];

/** The email in a file, and the SMTP transaction in which it would arrive. */
export interface LintedMail {
  /** The test id in the report, which is made up because there is no test. */
  readonly testId: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The block of headers that an inbound provider has added at the beginning of the file. */
  readonly block?: ProviderBlock | undefined;
  readonly client: ClientFacts;
  readonly from: EnvelopeFrom;
  /** The recipient, which may come from the To field. */
  readonly to: { readonly localPart: string; readonly domain: string };
  /** Time of arrival in RFC 3339 format. */
  readonly receivedAt: string;
}

export interface LintResult {
  readonly report: Report;
  /** Reasons why the service would refuse this email. */
  readonly refusal: readonly RefusalReason[];
}

/**
 * Runs the service's own analysis on an email, with the given DNS and spam filters. Nothing is fetched over
 * HTTP.
 */
export async function lintMail(
  mail: LintedMail,
  dns: DnsSources,
  askFilters?: AskFilters,
): Promise<LintResult> {
  const inspect = createInspect({
    checkHost,
    newResolver: zoneResolver(dns),
    beginReading: readHere,
    fetch: unopened,
    checkCertificate: async () => null,
    webRisk: { configured: false, lookUpHosts: async () => ({}) },
    clock: () => Date.parse(mail.receivedAt),
    refusalBlocklists: seesLists(dns) ? REFUSAL_BLOCKLISTS : [],
    dnsbls: [],
    askFilters,
  });
  const { localPart, domain } = mail.to;
  const inspection = inspect({
    testId: localPart,
    mailDomain: domain,
    client: mail.client,
    from: mail.from,
  });
  const rethrow = rethrowFor(dns);
  const inspected = await inspection.read(mail.bytes, mail.block).catch(rethrow);
  const refusal = judgeGate(inspected.gate);
  const { receivedAt } = mail;
  const facts = await inspected
    .facts({ receivedAt, expiresAt: null })
    .catch(rethrow)
    .finally(inspected.end);
  if (facts === 'lost') throw new Error('the email could not be read');
  const seen = seesLists(dns) ? facts : withoutLists(facts);
  return { report: makeReport({ ...seen, testId: mail.testId }, receivedAt), refusal };
}

/** Returns whether blocklists can be queried. They are in the DNS, and never in a sender's zone file. */
export const seesLists = ({ zone, live }: DnsSources): boolean =>
  live !== null || zone?.isWholeDns === true;

const withoutLists = (facts: Facts): Facts => ({
  ...facts,
  connection: { ...facts.connection, spamcop: unseen('spamcop: not checked') },
});

/**
 * Returns the error for an analysis that lacked resources. It names the resolver as the cause, because
 * nothing else that the analysis needs can be missing on this machine.
 */
export const resolverFault = ({ asked }: DnsSources) =>
  new CommandError(
    'resolver_unreachable',
    `${asked} did not answer. Check your network, or name another server, such as --resolver 9.9.9.9.`,
  );

const rethrowFor =
  (dns: DnsSources) =>
  (error: unknown): never => {
    throw error instanceof Overloaded ? resolverFault(dns) : error;
  };

/** Reads the email in this thread instead of a worker, because the file is the user's own. */
const readHere: BeginReading = (mail, job, resolver) => {
  const verify = () => verifyMail(mail, job, resolver.ask);
  const guard = guardInput(mail.subarray(job.ownFrom));
  const authentication = readAuthentication(guard, mail, job, verify);
  return {
    authentication,
    content: authentication.then(() => readContentPart(mail, job, guard)),
    stop: () => {},
  };
};
