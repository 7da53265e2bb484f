/** Runs our own DMARC cases as a suite. */

import { type DmarcInput, judgeDmarc } from '../../../src/analysis/dmarc/evaluate.ts';
import { type DmarcAnswers, treeNames } from '../../../src/analysis/dmarc/tree-walk.ts';
import type { Answer } from '../../../src/analysis/dns-answer.ts';
import { known, unknown } from '../../../src/analysis/lookup-result.ts';
import { scanHeaders } from '../../support/mail/scan-headers.ts';
import { alignmentCases } from './dmarc-alignment-cases.ts';
import { type DmarcCase, type DmarcWant, type DmarcZone, FROM } from './dmarc-case.ts';
import { policyCases } from './dmarc-policy-cases.ts';
import { walkCases } from './dmarc-walk-cases.ts';
import type { Suite } from './suite.ts';

const FAULTS = ['SERVFAIL', 'REFUSED', 'TIMEOUT'];

export const dmarcSuite: Suite = {
  name: 'DMARC, RFC 9989 (our cases)',
  cases: Object.entries({ ...walkCases, ...policyCases, ...alignmentCases }).map(([name, one]) => ({
    name,
    run: async () => {
      const got = judgeCase(one);
      const wrong = Object.entries(one.want).filter(
        ([key, want]) => JSON.stringify(got[key as keyof DmarcWant]) !== JSON.stringify(want),
      );
      return wrong.length === 0
        ? null
        : wrong.map(([key]) => `${key}: ${JSON.stringify(got[key as keyof DmarcWant])}`).join('; ');
    },
  })),
  excepted: {},
};

function judgeCase({ zone, from = FROM, exists = true, spf, dkim = [] }: DmarcCase) {
  const { headerFrom } = scanHeaders(Buffer.from(`From: a@${from}\r\n\r\n`, 'utf8'));
  const fromDomain = headerFrom.domain ?? '';
  const identifiers = dkim.map(toIdentifier);
  const spfIdentifier = toIdentifier(spf ?? '');
  const domains = [fromDomain, ...[spfIdentifier, ...identifiers].map(({ domain }) => domain)];
  const verdict = judgeDmarc({
    fromDomain,
    exists: exists === null ? unknown('dns') : known(exists),
    answers: answersFor(zone, domains),
    spf: spf ? spfIdentifier : { domain: '', outcome: 'fail' },
    dkim: identifiers,
  });
  if (verdict.status === 'unknown') return { result: 'temperror' } satisfies DmarcWant;
  const { report } = verdict.value;
  return {
    result: report.result,
    policy: report.policy,
    effective: report.effective_policy ?? null,
    record: report.record_domain ?? null,
    organization: report.organizational_domain ?? '',
    walk: report.tree_walk?.map(({ name }) => name) ?? [],
    alignment: `${report.alignment.spf}/${report.alignment.dkim}`,
    disposition: report.disposition ?? '',
  } satisfies DmarcWant;
}

function toIdentifier(text: string): DmarcInput['spf'] {
  const [domain = '', outcome] = text.split(' ');
  return { domain, outcome: outcome === 'undecided' ? 'undecided' : 'pass' };
}

type TxtAnswer = Answer<readonly string[]>;

const answersFor = (zone: DmarcZone, domains: readonly string[]): DmarcAnswers =>
  new Map(
    domains
      .filter((domain) => domain !== '')
      .flatMap(treeNames)
      .map((name) => [name, toAnswer(Object.hasOwn(zone, name) ? zone[name] : undefined)]),
  );

function toAnswer(held: DmarcZone[string] | undefined): TxtAnswer {
  if (held === undefined) return { status: 'nxdomain' };
  if (held === 'NODATA') return { status: 'nodata' };
  if (typeof held === 'string' && FAULTS.includes(held)) return { status: 'failed', error: held };
  return { status: 'found', records: [held].flat().map((text) => [text]) };
}
