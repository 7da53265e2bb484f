/** Reads the SPF, DKIM and DMARC cases of rspamd's tests as a suite. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeDmarc } from '../../../src/analysis/dmarc/evaluate.ts';
import { known, type LookupResult } from '../../../src/analysis/lookup-result.ts';
import type { DkimSignature, Dmarc, SpfResult } from '../../../src/domain/report/authentication.ts';
import { lookUpDmarc } from '../../../src/inspection/dmarc.ts';
import type { Resolver } from '../../../src/ports/dns.ts';
import type { DnsFault, Zone, ZoneRecords } from '../../environment/dns-zone.ts';
import { evaluateSpf } from '../../support/mail/evaluate-spf.ts';
import { scanHeaders } from '../../support/mail/scan-headers.ts';
import { judgeSignatures } from './judge-signatures.ts';
import type { Case, Suite } from './suite.ts';
import { toCrlf } from './verify-raw.ts';
import { askZone, resolverOf } from './zone-resolver.ts';

interface Tests {
  readonly records: readonly DnsRecord[];
  readonly cases: readonly Test[];
}

interface DnsRecord {
  readonly name: string;
  readonly type: string;
  readonly rcode?: string;
  readonly replies?: readonly string[];
}

interface Test {
  readonly name: string;
  /** Path below `messages`. Null without an email. */
  readonly file: string | null;
  /** Address of the client. Default: this machine. */
  readonly ip?: string;
  /** The envelope sender (MAIL FROM). */
  readonly from?: string;
  readonly helo?: string;
  /** Symbols that must appear, and those that must not. */
  readonly expect: readonly string[];
  readonly not?: readonly string[];
}

// An email with this deviation has two faults. rspamd looks up the key first; the report names both.
const BODY_FIRST =
  'the body hash is wrong as well: which is named first is left open (RFC 6376 §6.1.3)';
const TREE =
  'another organization by the tree walk (RFC 9989 §4.10.2), the same by the suffix list';
const PCT = 'pct= is gone (RFC 9989 §A.6)';

const EXCEPTED = {
  'DKIM Accept Large Header List Below Limit': BODY_FIRST,
  'DKIM Verify Unknown Key Type': BODY_FIRST,
  'DKIM Reject Oversized Key Record': BODY_FIRST,
  'DKIM Reject Oversized Key Modulus': BODY_FIRST,
  'DKIM Verify Revoked Key (missing p=)': BODY_FIRST,
  'DMARC SUBDOMAIN PASS DKIM RELAXED ALIGNMENT': TREE,
  'DMARC SUBDOMAIN PASS SPF RELAXED ALIGNMENT': TREE,
  'DMARC PCT ZERO REJECT': PCT,
  'DMARC PCT ZERO SP QUARANTINE': PCT,
  'SPF FAIL UNRESOLVEABLE INCLUDE': 'include: of a name without SPF is a permerror (RFC 7208 §5.2)',
  'SPF PTRS (2)': 'more than two void lookups are a permerror (RFC 7208 §4.6.4)',
  'SPF PLUSALL': 'a symbol of its own for a pass by +all',
  'SPF ALLOW DNS REQUESTS AT LIMIT': 'the limit is 10 lookups (RFC 7208 §4.6.4)',
};

/** Reads the SPF, DKIM and DMARC cases from the functional tests of rspamd, with the DNS of these tests. */
export function readRspamd(dir: string): Suite {
  const { records, cases } = JSON.parse(readFileSync(join(dir, 'cases.json'), 'utf8')) as Tests;
  const ask = askZone(toZone(records));
  const toCase = (test: Test): Case => ({
    name: test.name,
    run: async () => {
      const mail =
        test.file === null ? '' : readFileSync(join(dir, 'messages', test.file), 'latin1');
      const got = await symbolsOf(test, Buffer.from(toCrlf(mail), 'latin1'), ask);
      const isRight =
        test.expect.every((symbol) => got.has(symbol)) &&
        !(test.not ?? []).some((symbol) => got.has(symbol));
      return isRight ? null : [...got].join(', ');
    },
  });
  return { name: 'rspamd, its functional tests', cases: cases.map(toCase), excepted: EXCEPTED };
}

async function symbolsOf(
  { ip = '127.0.0.1', from = '', helo = '' }: Test,
  mail: Buffer,
  ask: Resolver['ask'],
): Promise<ReadonlySet<string>> {
  const resolver = resolverOf(ask);
  const sender = from.replace(/[<>]/g, '');
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const localPart = sender.slice(0, Math.max(sender.lastIndexOf('@'), 0));
  const { result: spf } = await evaluateSpf({ ip, helo, localPart, domain }, resolver);
  const signatures = await judgeSignatures(mail, ask);
  const fromDomain = scanHeaders(mail).headerFrom.domain;
  const dmarc = fromDomain && (await dmarcOf(fromDomain, { domain, spf }, signatures, resolver));
  return new Set([
    SPF[spf],
    ...signatures.map(({ result }) => DKIM[result]),
    ...(dmarc ? [toSymbol(dmarc)] : []),
  ]);
}

async function dmarcOf(
  fromDomain: string,
  { domain, spf }: { readonly domain: string; readonly spf: SpfResult },
  signatures: readonly DkimSignature[],
  resolver: Resolver,
): Promise<LookupResult<Dmarc>> {
  const names = [fromDomain, domain, ...signatures.map((one) => one.domain)];
  const verdict = judgeDmarc({
    fromDomain,
    exists: known(true),
    answers: await lookUpDmarc(resolver, names),
    spf: { domain, outcome: toOutcome(spf) },
    dkim: signatures.map((one) => ({ domain: one.domain, outcome: toOutcome(one.result) })),
  });
  return verdict.status === 'known' ? known(verdict.value.report) : verdict;
}

const toOutcome = (result: SpfResult | DkimSignature['result']) =>
  result === 'pass' ? 'pass' : result === 'temperror' ? 'undecided' : 'fail';

const SPF: Readonly<Record<SpfResult, string>> = {
  pass: 'R_SPF_ALLOW',
  fail: 'R_SPF_FAIL',
  softfail: 'R_SPF_SOFTFAIL',
  neutral: 'R_SPF_NEUTRAL',
  none: 'R_SPF_NA',
  temperror: 'R_SPF_DNSFAIL',
  permerror: 'R_SPF_PERMFAIL',
};

const DKIM: Readonly<Record<DkimSignature['result'], string>> = {
  pass: 'R_DKIM_ALLOW',
  fail: 'R_DKIM_REJECT',
  temperror: 'R_DKIM_TEMPFAIL',
  permerror: 'R_DKIM_PERMFAIL',
  policy: 'R_DKIM_PERMFAIL',
  neutral: 'R_DKIM_PERMFAIL',
};

const POLICY = {
  none: 'DMARC_POLICY_SOFTFAIL',
  quarantine: 'DMARC_POLICY_QUARANTINE',
  reject: 'DMARC_POLICY_REJECT',
} as const;

function toSymbol(dmarc: LookupResult<Dmarc>): string {
  if (dmarc.status === 'unknown') return 'DMARC_DNSFAIL';
  const { result, disposition } = dmarc.value;
  if (result === 'pass') return 'DMARC_POLICY_ALLOW';
  return result === 'none' ? 'DMARC_NA' : POLICY[disposition ?? 'none'];
}

/** Converts rspamd's `fake_records`. Anything else does not exist. */
function toZone(records: readonly DnsRecord[]): Zone {
  const zone: Record<string, ZoneRecords | DnsFault> = {};
  for (const { name, type, rcode, replies = [] } of records) {
    if (rcode === 'nxdomain') continue;
    const held = zone[name] ?? {};
    if (rcode === 'timeout') zone[name] = 'TIMEOUT';
    else if (typeof held !== 'string')
      zone[name] = rcode === 'norec' ? held : { ...held, [type.toUpperCase()]: replies };
  }
  return zone;
}
