import { correctKeyRecord } from '../analysis/dkim/correct-key.ts';
import type { DkimFacts, Misplaced } from '../analysis/dkim/facts.ts';
import type { DmarcFacts } from '../analysis/dmarc/facts.ts';
import { resemblesDmarc } from '../analysis/dmarc/tree-walk.ts';
import { textsOf } from '../analysis/dns-answer.ts';
import { ifKnown, type LookupResult, mapLookup } from '../analysis/lookup-result.ts';
import { organizationalDomain } from '../analysis/names/domain-names.ts';
import { poolTerm } from '../analysis/names/shared-pools.ts';
import type { Resolver } from '../ports/dns.ts';
import type { AtRcpt } from './at-rcpt.ts';
import { isDomainName } from './dns-results.ts';
import { evaluateSpf } from './spf-record.ts';
import type { Authenticated } from './verdicts.ts';

/** Name servers that a report holds. */
const MAX_NAME_SERVERS = 4;

/** Signatures whose missing key is looked for elsewhere. */
const MAX_KEYS = 2;

/** What only a fix asks for, of a mail that has something to fix. */
export interface ForFixes {
  /** Keys at wrong names, by the names where they belong. */
  readonly keys: ReadonlyMap<string, Misplaced>;
  readonly dmarc: Misplaced | null;
}

export const NOTHING_FOR_FIXES: ForFixes = { keys: new Map(), dmarc: null };

export async function lookUpForFixes(
  resolver: Resolver,
  authenticated: Authenticated,
  atRcpt: Pick<AtRcpt, 'reverse' | 'spfAbout'>,
): Promise<ForFixes> {
  const [keys, dmarc] = await Promise.all([
    lookUpKeysElsewhere(resolver, authenticated),
    lookUpDmarcElsewhere(resolver, authenticated),
  ]);
  await askForPool(authenticated, atRcpt);
  return { keys, dmarc };
}

/** What a shared pool publishes for its customers' records is there before such a record is tried. */
async function askForPool(
  { spf }: Authenticated,
  { reverse, spfAbout }: Pick<AtRcpt, 'reverse' | 'spfAbout'>,
): Promise<void> {
  const { result } = ifKnown(spf)?.report ?? {};
  if (spfAbout === null || result === undefined || result === 'pass' || result === 'temperror')
    return;
  const names = ifKnown((await reverse).forward)?.confirmedNames ?? [];
  const term = names.flatMap((name) => poolTerm(name) ?? [])[0];
  if (term !== undefined) await evaluateSpf(spfAbout, `v=spf1 ${term} -all`);
}

/**
 * A DNS panel that adds the domain by itself makes `s._domainkey.shop.example.shop.example` of a whole
 * name; and some leave `_domainkey` out.
 */
async function lookUpKeysElsewhere(
  resolver: Resolver,
  { dkim }: Authenticated,
): Promise<ForFixes['keys']> {
  const missing = (ifKnown(dkim)?.signatures ?? [])
    .filter(({ report, ofFromDomain }) => ofFromDomain && report.reason === 'no_key')
    .slice(0, MAX_KEYS);
  const found = await Promise.all(
    missing.map(async ({ report: { domain, selector } }) => {
      const name = `${selector}._domainkey.${domain}`;
      const names = [...doubled(name, domain), `${selector}.${domain}`];
      const at = await firstOf(resolver, names, (text) => correctKeyRecord(text) !== null);
      return at === null ? [] : [[name, at] as const];
    }),
  );
  return new Map(found.flat());
}

/** Where the sender enters records: who hosts the DNS of the domain that they registered. */
export async function lookUpNameServers(
  resolver: Resolver,
  from: string | null,
): Promise<readonly string[]> {
  if (from === null) return [];
  const answer = await resolver.names(organizationalDomain(from), 'NS');
  if (answer.status !== 'found') return [];
  return answer.records.filter(isDomainName).sort().slice(0, MAX_NAME_SERVERS);
}

/** A record at the domain itself, or with the domain twice, while `_dmarc` has no record. */
async function lookUpDmarcElsewhere(
  resolver: Resolver,
  { fromDomain, answers }: Authenticated,
): Promise<Misplaced | null> {
  const isThere = [...answers.values()].some((answer) => textsOf(answer).some(resemblesDmarc));
  if (fromDomain === null || isThere) return null;
  const domains = [...new Set([fromDomain, organizationalDomain(fromDomain)])];
  const names = domains.flatMap((domain) => [domain, ...doubled(`_dmarc.${domain}`, domain)]);
  return firstOf(resolver, names, resemblesDmarc);
}

const doubled = (name: string, domain: string): readonly string[] => [
  ...new Set([`${name}.${domain}`, `${name}.${organizationalDomain(domain)}`]),
];

async function firstOf(
  resolver: Resolver,
  names: readonly string[],
  isOne: (text: string) => boolean,
): Promise<Misplaced | null> {
  const answers = await Promise.all(names.map((name) => resolver.txt(name)));
  const found = names.flatMap((name, i) => {
    const record = textsOf(answers[i]).find(isOne);
    return record === undefined ? [] : [{ name, record }];
  });
  return found[0] ?? null;
}

/** The facts with what was found for their fixes. */
export const withKeysElsewhere = (
  dkim: LookupResult<DkimFacts>,
  { keys }: ForFixes,
): LookupResult<DkimFacts> =>
  mapLookup(dkim, (value) => ({
    ...value,
    signatures: value.signatures.map((one) => {
      const { selector, domain } = one.report;
      const elsewhere = keys.get(`${selector}._domainkey.${domain}`);
      return elsewhere ? { ...one, elsewhere } : one;
    }),
  }));

export const withDmarcElsewhere = (
  dmarc: LookupResult<DmarcFacts>,
  { dmarc: elsewhere }: ForFixes,
): LookupResult<DmarcFacts> =>
  elsewhere === null ? dmarc : mapLookup(dmarc, (value) => ({ ...value, elsewhere }));
