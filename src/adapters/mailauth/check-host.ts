/** Evaluates SPF with mailauth (RFC 7208 §4), also for names that mailauth itself rejects. */

import { spf } from 'mailauth/lib/spf/index.js';
import type { SpfResult } from '../../domain/report/authentication.ts';
import type { CheckHost, SpfVerdict } from '../../ports/check-host.ts';
import type { DnsAnswer, MxRecord, RecordType } from '../../ports/dns.ts';
import { isName, toMailauthResolver } from './dns-bridge.ts';

/** The limits of RFC 7208 §4.6.4, each with the text by which the library reports it. */
const LIMITS: readonly (readonly [said: RegExp, limit: string])[] = [
  [/Too many void/, 'more than 2 void lookups'],
  [/Too many DNS/, 'more than 10 lookups'],
];

/** Labels and host names that the library accepts. It rejects others, although they can be looked up. */
const ACCEPTED_LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
const ACCEPTED_HOST = /^(?:[\x20-\x2d\x2f-\x7e]+\.)+[a-z][a-z0-9-]*$/i;

/** Evaluates SPF with mailauth, which follows RFC 7208 to the letter in its strict mode. */
export const checkHost: CheckHost = async ({ ip, helo, localPart, domain }, ask) => {
  const names = createStandIns(domain);
  let isUnasked = false;
  const resolver = toMailauthResolver(async (name, type) => {
    const answer = await ask(names.realOf(name).toLowerCase(), type);
    if (answer.status === 'failed' && answer.unasked) isUnasked = true;
    return names.hide(answer, type);
  });
  const { status, lookups } = await spf({
    // A sender without a local part is `postmaster` (RFC 7208 §4.3).
    sender: `${localPart || 'postmaster'}@${names.standInOf(domain)}`,
    ip,
    helo,
    mta: 'unknown',
    strict: true,
    resolver,
  });
  const result = status.result as SpfResult;
  const comment = String(status.comment ?? '');
  const limit = LIMITS.find(([said]) => result === 'permerror' && said.test(comment))?.[1] ?? null;
  const count = lookups?.count ?? 0;
  // The library uses the same words for its own limit on the mail servers of one term.
  const isOfMx = limit === 'more than 10 lookups' && count <= 10;
  return {
    // The library treats a failed PTR lookup as "no PTR". A lookup we skipped might have found one.
    result: isUnasked ? 'temperror' : result,
    error: isUnasked ? null : isOfMx ? 'more than 10 mail servers for one mx term' : limit,
    lookups: count,
  } satisfies SpfVerdict;
};

/**
 * Creates names that stand in for those that the library rejects. RFC 7208 §4.3 allows any label in a name,
 * such as the underscore in `_bounce.example.com`, but the library accepts no such label for the sender. Each
 * of them is replaced with another, label by label, so that macros see the same parts. The library also
 * rejects a mail server whose last label is the only one, or a number.
 */
function createStandIns(domain: string) {
  const strange = domain.split('.').filter((label) => label !== '' && !ACCEPTED_LABEL.test(label));
  const standIns = new Map(strange.map((label, i) => [label, `stand-in-${i}-label`]));
  const reals = new Map([...standIns].map(([label, standIn]) => [standIn, label]));
  const hosts = new Map<string, string>();
  const replace = (name: string, by: ReadonlyMap<string, string>) =>
    by.size === 0
      ? name
      : name
          .split('.')
          .map((label) => by.get(label) ?? label)
          .join('.');

  function standInOfHost(name: string): string {
    if (ACCEPTED_HOST.test(name)) return name;
    const standIn = `stand-in-${hosts.size}.host`;
    hosts.set(standIn, name);
    return standIn;
  }

  function hideIn(record: unknown, type: RecordType): readonly unknown[] {
    if (type === 'PTR') return [replace(bare(String(record)), standIns)];
    if (type === 'TXT') return [[withShortCounts((record as readonly string[]).join(''))]];
    if (type !== 'MX') return [record];
    const { preference, exchange } = record as MxRecord;
    const name = bare(exchange);
    return isName(name) ? [{ preference, exchange: standInOfHost(name) }] : [];
  }

  return {
    standInOf: (name: string) => replace(name, standIns),
    realOf: (name: string) => hosts.get(name) ?? replace(name, reals),
    hide: (answer: DnsAnswer<unknown>, type: RecordType): DnsAnswer<unknown> =>
      answer.status === 'found'
        ? { ...answer, records: answer.records.flatMap((record) => hideIn(record, type)) }
        : answer,
  };
}

/**
 * Limits the number in a macro to 999, because the library reads its digits by removing them from an array
 * one at a time. No name has that many parts.
 */
const withShortCounts = (text: string): string =>
  text.replace(/(?<=%\{[a-z])\d{4,}/gi, (digits) => String(Math.min(Number(digits), 999)));

const bare = (name: string): string => name.replace(/\.$/, '').toLowerCase();
