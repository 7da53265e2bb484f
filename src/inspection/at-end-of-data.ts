/**
 * Starts, at the end of an email's data, the lookups that its header calls for and the reading of its bytes,
 * and evaluates DKIM and DMARC from their results.
 */

import type { DkimFacts } from '../analysis/dkim/facts.ts';
import { selectSignatures } from '../analysis/dkim/parse.ts';
import type { DmarcAnswers } from '../analysis/dmarc/tree-walk.ts';
import { known, type LookupResult, unknown } from '../analysis/lookup-result.ts';
import { type HeaderScan, MAX_ARC_SETS, readMailHead } from '../analysis/mail/scan-headers.ts';
import type { Names } from '../analysis/names/facts.ts';
import { fieldsNamed, type HeaderBlock } from '../analysis/syntax/header-block.ts';
import { parseTagList } from '../analysis/syntax/tag-list.ts';
import { networksOf } from '../domain/fairness/networks.ts';
import type { Resolver } from '../ports/dns.ts';
import type { ProviderBlock } from '../ports/mail.ts';
import type { BeginReading, OngoingReading } from '../ports/reading.ts';
import type { AtRcpt } from './at-rcpt.ts';
import { orElse } from './deadlines.ts';
import { type FoundKey, lookUpKeys, toDkimFacts } from './dkim.ts';
import { lookUpDmarc } from './dmarc.ts';
import { type FromDomainFacts, lookUpFromDomain, lookUpMxHosts } from './mail-hosts.ts';
import { type Authenticated, authenticate } from './verdicts.ts';

/** Maximum number of ARC seal keys that are looked up in advance. */
const MAX_SEAL_KEYS = 10;

/** Time limit in milliseconds for looking up records that the headers name. */
const RECORDS_MS = 5000;

/** Facts about an email at the end of its data. */
interface ArrivedMail {
  /** The email from its first byte, including the headers of an inbound provider. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly block: ProviderBlock | undefined;
  readonly testAddress: { readonly localPart: string; readonly domain: string };
  /** Time of the end of data, in milliseconds since 1970. */
  readonly arrivedAt: number;
  /** True if the bytes are needed after they have been read. */
  readonly keepsBytes: boolean;
}

/** Facts that are known once the email has arrived. */
export interface AtEndOfData {
  readonly atRcpt: AtRcpt;
  readonly block: ProviderBlock | undefined;
  /** Size of the email in bytes, without the block of headers that a provider put above it. */
  readonly sizeBytes: number;
  readonly scan: HeaderScan;
  readonly reading: OngoingReading;
  readonly answers: Promise<DmarcAnswers>;
  readonly fromDomain: Promise<FromDomainFacts>;
  readonly fromMxHosts: Promise<Names['mxHosts']>;
  /** Everything that the verdict depends on. Resolves once all of it is known. */
  readonly authenticated: Promise<Authenticated>;
}

/**
 * Starts everything that needs the email's content: its lookups immediately, and the reading of its bytes in
 * a worker.
 */
export function inspectAtEndOfData(
  { resolver, beginReading }: { readonly resolver: Resolver; readonly beginReading: BeginReading },
  atRcpt: AtRcpt,
  { bytes, block, testAddress, arrivedAt, keepsBytes }: ArrivedMail,
): AtEndOfData {
  const { envelopeDomain, nullSender, client } = atRcpt;
  const ownFrom = block?.bytes ?? 0;
  const sizeBytes = bytes.length - ownFrom;
  const head = readMailHead(bytes.subarray(ownFrom));
  const { scan } = head;
  const from = scan.headerFrom.domain;
  const signatures = selectSignatures(scan.dkimSignatures, from);

  const keys = orElse<readonly FoundKey[]>(
    RECORDS_MS,
    lookUpKeys(resolver, scan.dkimSignatures),
    [],
  );
  for (const name of sealKeyNames(head.block)) void resolver.txt(name);
  const domains = signatures.map(({ header }) => header.domain);
  const identifiers = [from, envelopeDomain, ...domains];
  const answers = orElse<DmarcAnswers>(
    RECORDS_MS,
    lookUpDmarc(resolver, from === null ? [] : identifiers.filter(mayAlign(from))),
    new Map(),
  );
  const noAnswer = unknown('dns: From domain: no answer in time');
  const fromDomain = orElse<FromDomainFacts>(RECORDS_MS, lookUpFromDomain(resolver, from), {
    fromDomainExists: noAnswer,
    fromMx: noAnswer,
  });
  // The gate does not wait for these lookups.
  const fromMxHosts = orElse<Names['mxHosts']>(
    RECORDS_MS,
    fromDomain.then(({ fromMx }) => lookUpMxHosts(resolver, from ?? '', fromMx)),
    {},
  );

  const reading = beginReading(
    bytes,
    {
      context: {
        receivedAt: new Date(arrivedAt).toISOString(),
        testAddress,
        nullSender,
        helo: client.helo,
        smtputf8: atRcpt.from.smtputf8,
      },
      ownFrom,
      head,
      signatures,
      verifyArc: scan.arcSets > 0 && scan.arcSets <= MAX_ARC_SETS,
      path: [...networksOf(client.ip), testAddress.localPart],
      keepsBytes,
    },
    resolver,
  );
  const dkim = judgeDkim(scan, reading, keys, answers, arrivedAt);
  const authenticated = authenticate({ atRcpt, scan, answers, fromDomain, dkim });
  return {
    atRcpt,
    block,
    sizeBytes,
    scan,
    reading,
    answers,
    fromDomain,
    fromMxHosts,
    authenticated,
  };
}

/** Only a domain that shares a parent with the From domain can align with it. */
const mayAlign =
  (from: string) =>
  (domain: string | null): boolean =>
    domain?.split('.').at(-1) === from.split('.').at(-1);

async function judgeDkim(
  scan: HeaderScan,
  { authentication }: OngoingReading,
  keys: Promise<readonly FoundKey[]>,
  answers: Promise<DmarcAnswers>,
  arrivedAt: number,
): Promise<LookupResult<DkimFacts>> {
  if (scan.dkimSignatures.length === 0) return known({ signatures: [], total: 0 });
  const part = await authentication;
  if (part === null) return unknown('dkim: the signatures were not verified in time');
  if (part.bodyLineTooLong) return unknown('dkim: not evaluated: a body line is over 1 MiB');
  return known(
    toDkimFacts({
      scan,
      verdicts: part.signatures,
      keys: await keys,
      answers: await answers,
      arrivedAt,
    }),
  );
}

function sealKeyNames(block: HeaderBlock): string[] {
  const fields = ['arc-message-signature', 'arc-seal'].flatMap((name) => fieldsNamed(block, name));
  const names = fields.slice(0, MAX_ARC_SETS).map(({ value }) => {
    const tags = parseTagList(value);
    return `${tags.get('s')}._domainkey.${tags.get('d')}`.toLowerCase();
  });
  const isName = (name: string) => /^[a-z0-9._-]{1,253}$/.test(name);
  return [...new Set(names)].filter(isName).slice(0, MAX_SEAL_KEYS);
}
