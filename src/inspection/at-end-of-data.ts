import { selectSignatures } from '../analysis/dkim/select-signatures.ts';
import type { DmarcAnswers } from '../analysis/dmarc/tree-walk.ts';
import {
  type DkimFacts,
  known,
  type LookupResult,
  type Names,
  unknown,
} from '../analysis/facts.ts';
import { type HeaderScan, MAX_ARC_SETS, scanBlock } from '../analysis/mail/scan-headers.ts';
import { organizationalDomain } from '../analysis/names/domain-names.ts';
import { fieldsNamed, parseHeaderBlock } from '../analysis/syntax/header-block.ts';
import { parseTagList } from '../analysis/syntax/tag-list.ts';
import type { Resolver } from '../ports/dns.ts';
import type { ReadInWorker, WorkerReading } from '../ports/reading.ts';
import { orElse } from './deadlines.ts';
import { type FoundKey, lookUpKeys, toDkimFacts } from './dkim.ts';
import { lookUpDmarc } from './dmarc.ts';
import { type FromDomainFacts, lookUpFromDomain } from './from-domain.ts';
import { lookUpMxHosts } from './mx.ts';

/** Keys of seals that are asked for ahead of their verification. */
const MAX_SEAL_KEYS = 10;

/** Milliseconds for records that the headers name. */
const RECORDS_MS = 5000;

/** What can be learnt once the mail is there. */
export interface Late {
  readonly scan: HeaderScan;
  readonly reading: WorkerReading;
  readonly answers: Promise<DmarcAnswers>;
  readonly fromDomain: Promise<FromDomainFacts>;
  readonly fromMxHosts: Promise<Names['mxHosts']>;
  readonly dkim: Promise<LookupResult<DkimFacts>>;
}

export interface LateSubject {
  readonly mail: Uint8Array<ArrayBuffer>;
  readonly ownFrom: number;
  readonly testId: string;
  readonly mailDomain: string;
  readonly envelopeDomain: string;
  readonly nullSender: boolean;
  readonly helo: string | null;
  readonly smtputf8: boolean;
  /** Milliseconds since 1970: the end of data. */
  readonly arrivedAt: number;
}

/** Begins everything that needs the mail: its lookups at once, its bytes in a worker. */
export function beginLate(
  { resolver, readInWorker }: { readonly resolver: Resolver; readonly readInWorker: ReadInWorker },
  subject: LateSubject,
): Late {
  const { mail, ownFrom, arrivedAt } = subject;
  const block = parseHeaderBlock(mail.subarray(ownFrom));
  const scan = scanBlock(block);
  const from = scan.headerFrom.domain;
  const signatures = selectSignatures(scan.dkimSignatures, from);

  const keys = orElse<readonly FoundKey[]>(
    RECORDS_MS,
    lookUpKeys(resolver, scan.dkimSignatures),
    [],
  );
  for (const name of sealKeyNames(block)) void resolver.txt(name);
  const domains = signatures.map(({ header }) => header.domain);
  const identifiers = [from, subject.envelopeDomain, ...domains];
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

  // The gate does not wait for these.
  const fromMxHosts = orElse<Names['mxHosts']>(
    RECORDS_MS,
    fromDomain.then(({ fromMx }) => lookUpMxHosts(resolver, fromMx)),
    {},
  );

  const reading = readInWorker(
    mail,
    {
      context: {
        receivedAt: new Date(arrivedAt).toISOString(),
        testAddress: { localPart: subject.testId, domain: subject.mailDomain },
        envelopeDomain: subject.nullSender ? null : subject.envelopeDomain || null,
        nullSender: subject.nullSender,
        helo: subject.helo,
        smtputf8: subject.smtputf8,
      },
      ownFrom,
      signatures,
      verifyArc: scan.arcSets > 0 && scan.arcSets <= MAX_ARC_SETS,
    },
    resolver,
  );
  const dkim = gatherDkim(scan, reading, keys, answers, arrivedAt);
  return { scan, reading, answers, fromDomain, fromMxHosts, dkim };
}

/** Only a domain that shares its top with the From domain can align with it. */
const mayAlign =
  (from: string) =>
  (domain: string | null): boolean =>
    domain?.split('.').at(-1) === from.split('.').at(-1);

async function gatherDkim(
  scan: HeaderScan,
  { authentication }: WorkerReading,
  keys: Promise<readonly FoundKey[]>,
  answers: Promise<DmarcAnswers>,
  arrivedAt: number,
): Promise<LookupResult<DkimFacts>> {
  if (scan.dkimSignatureTotal === 0) return known({ signatures: [], total: 0 });
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

function sealKeyNames(block: ReturnType<typeof parseHeaderBlock>): string[] {
  const fields = ['arc-message-signature', 'arc-seal'].flatMap((name) => fieldsNamed(block, name));
  const names = fields.slice(0, MAX_ARC_SETS).map(({ value }) => {
    const tags = parseTagList(value);
    return `${tags.get('s')}._domainkey.${tags.get('d')}`.toLowerCase();
  });
  const isName = (name: string) => /^[a-z0-9._-]{1,253}$/.test(name);
  return [...new Set(names)].filter(isName).slice(0, MAX_SEAL_KEYS);
}

/** By the tree walk, else by the Public Suffix List. */
export const organizationOf = (from: string, walked: string | null | undefined): string =>
  walked ?? organizationalDomain(from);
