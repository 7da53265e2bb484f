/**
 * Makes a report on a domain from its DNS records, its policy files and, if the user wants that, the TLS of
 * its mail hosts. It needs neither an email nor the service.
 */

import { isIP } from 'node:net';
import { checkHost } from '../../adapters/mailauth/check-host.ts';
import { createGuardedFetch } from '../../adapters/web/guarded-fetch.ts';
import { createVisits } from '../../adapters/web/mail-hosts.ts';
import { makeDomainReport } from '../../analysis/domain-report.ts';
import { toDomain } from '../../analysis/names/domain-names.ts';
import { isPurpose } from '../../analysis/names/host-name.ts';
import type { DomainReport } from '../../domain/report/domain-report.ts';
import { inspectDomain } from '../../inspection/domain.ts';
import { unopened } from '../../inspection/not-fetched.ts';
import { usageError } from '../exit.ts';
import { resolverFault } from '../lint/lint-mail.ts';
import { type DnsSources, zoneResolver } from '../lint/zone-resolver.ts';

/**
 * Maximum number of DKIM selectors. It is also the maximum number of signatures that are read in an email.
 */
const MAX_SELECTORS = 20;

/** Matches what precedes the domain in the name of a record, such as `s1._domainkey`. */
const BEFORE_DOMAIN = /^(?:.*\.)?_[^.]*\./;

/** Matches what follows the selector in the name of a key's record, which users copy as a whole. */
const KEY_NAME = /\._domainkey(?:\..*)?$/;

const LABELS = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i;

/**
 * Makes a report on what a domain shows before any email is sent, using the given DNS.
 *
 * @param connects whether to connect to the mail hosts for STARTTLS
 * @throws CommandError
 */
export async function domainReport(
  name: string,
  selectors: readonly string[],
  dns: DnsSources,
  connects = false,
): Promise<DomainReport> {
  const domain = toDomain(name);
  if (domain === null || !domain.includes('.') || isIP(domain) !== 0)
    throw usageError(`${name} is not a public domain name.`);
  if (isPurpose(domain))
    throw usageError(
      `${name} is the name of a record. Name the domain, such as ${domain.replace(BEFORE_DOMAIN, '')}.`,
    );
  const wrong = selectors.find((selector) => !LABELS.test(selector));
  if (wrong !== undefined) throw usageError(`--selector must be a selector, not ${wrong}.`);
  if (selectors.length > MAX_SELECTORS)
    throw usageError(`--selector can name at most ${MAX_SELECTORS} selectors.`);
  if (connects && !dns.live) throw usageError('--starttls needs DNS: add --resolver.');
  const resolver = zoneResolver(dns)();
  const inspected = inspectDomain(
    {
      resolver,
      checkHost,
      fetch: dns.live ? createGuardedFetch() : unopened,
      // A machine that receives no mail has no name of its own to state in HELO.
      visitMailHost: connects ? createVisits({ helo: 'localhost' }) : undefined,
    },
    {
      domain,
      selectors: [...new Set(selectors.map((one) => one.toLowerCase().replace(KEY_NAME, '')))],
      at: new Date().toISOString(),
    },
  );
  const facts = await inspected;
  const isAnswered = resolver.trace.some(({ outcome }) => ANSWERED.has(outcome));
  if (dns.live && !isAnswered && !(await resolver.isServed?.())) throw resolverFault(dns);
  return makeDomainReport(facts);
}

const ANSWERED: ReadonlySet<string> = new Set(['found', 'nodata', 'nxdomain']);
