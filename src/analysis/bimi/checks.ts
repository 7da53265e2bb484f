import { dnsStep } from '../advice/actions.ts';
import { publicFrom } from '../advice/fill.ts';
import type { BimiFacts } from '../authentication-facts.ts';
import { defineCheck } from '../define-check.ts';
import { dmarcOthers, policyCause, raiseSteps } from '../dmarc/fixes.ts';
import { enforcedRecord } from '../dmarc/record.ts';
import type { Facts } from '../facts.ts';
import { ifKnown, known, mapLookup, thenLookup, unknown } from '../lookup-result.ts';
import { correctBimi } from './correct.ts';

const isAbsent = ({ report }: BimiFacts): boolean => !report.record;

/** Where the record is, or should be. */
const bimiDomain = ({ report }: BimiFacts, { names }: Facts): string =>
  report.domain ?? names.fromDomain ?? 'your domain';

const isReady = ({ report, organizationalDomainReady }: BimiFacts): boolean =>
  report.dmarc_ready !== false && organizationalDomainReady !== false;

export const bimiRecord = defineCheck({
  id: 'bimi_record',
  // Without a From domain there is no name that could have a logo.
  subject: (facts) =>
    publicFrom(facts) === null
      ? undefined
      : thenLookup<BimiFacts, BimiFacts>(facts.bimi, (value) =>
          // Without a record there is nothing else that could have failed.
          value.report.result === 'temperror' && isAbsent(value)
            ? unknown(`dns: TXT default._bimi.${value.report.domain ?? ''}: no answer`)
            : known(value),
        ),
  ladder: [
    ['warn', ({ recordFault }) => recordFault !== null],
    ['info', (bimi) => isAbsent(bimi) && !bimi.declined],
    ['info', ({ declined }) => declined],
  ],
  detail: (bimi, facts) => {
    const name = `default._bimi.${bimiDomain(bimi, facts)}`;
    if (bimi.recordFault !== null) return `${name}: ${bimi.recordFault}.`;
    if (bimi.declined) return `${name} declines to show a logo.`;
    return isAbsent(bimi) ? `No record at ${name}.` : `The record at ${name} is usable.`;
  },
  fixes: (bimi, { dmarc }) => {
    if (bimi.recordFault !== null) return [isAbsent(bimi) ? 'several' : 'broken'];
    return isReady(bimi) || dmarc.status === 'unknown' ? [] : ['dmarc_first'];
  },
  values: (bimi, facts) => ({ bimi_domain: bimiDomain(bimi, facts) }),
  steps: (bimi, facts) => {
    const { record } = bimi.report;
    if (bimi.recordFault === null || !record) return undefined;
    const corrected = correctBimi(record);
    return corrected === null
      ? undefined
      : [dnsStep(`default._bimi.${bimiDomain(bimi, facts)}`, 'TXT', corrected, [record])];
  },
});

export const bimiDmarcReady = defineCheck({
  id: 'bimi_dmarc_ready',
  // What could not be looked up may well be enforced.
  subject: ({ bimi, dmarc }) =>
    dmarc.status === 'unknown'
      ? dmarc
      : thenLookup<BimiFacts, BimiFacts>(bimi, (value) =>
          isReady(value) && value.organizationalDomainReady === null
            ? unknown('dns: DMARC policy of the organizational domain: not all answered')
            : known(value),
        ),
  ladder: [['warn', (bimi) => !isReady(bimi)]],
  detail: ({ report, organizationalDomainReady }) => {
    const word = (ready: boolean) => (ready ? 'enforced' : 'not enforced');
    return `DMARC is ${word(report.dmarc_ready !== false)} at the From domain, ${word(organizationalDomainReady !== false)} at the organizational domain.`;
  },
  fixes: ({ report }) => (report.dmarc_ready === false ? [] : ['organization']),
  steps: ({ report }, facts) => {
    const dmarc = ifKnown(facts.dmarc);
    if (!dmarc || report.dmarc_ready !== false) return undefined;
    return raiseSteps(dmarc, facts, enforcedRecord(dmarc, facts));
  },
  others: ({ report }, facts) => {
    const dmarc = ifKnown(facts.dmarc);
    return dmarc && report.dmarc_ready === false ? dmarcOthers(dmarc, facts) : undefined;
  },
  cause: (_, facts) => {
    const dmarc = ifKnown(facts.dmarc);
    return dmarc ? policyCause(dmarc, facts) : 'bimi_dmarc_ready';
  },
});

/** What begins with words, not with a tag or an attribute. */
const sentence = (fault: string): string => `${fault.replace(/^the /, 'The ')}.`;

export const bimiLogo = defineCheck({
  id: 'bimi_logo',
  subject: ({ bimi }) =>
    thenLookup(bimi, (value) => mapLookup(value.logo, (state) => ({ bimi: value, state }))),
  ladder: [
    ['warn', ({ state }) => state === 'invalid'],
    ['info', ({ state }) => state === 'not_square'],
  ],
  detail: ({ state, bimi: { report } }) => {
    const errors = report.logo?.errors ?? [];
    return errors.length > 0
      ? sentence(errors.join('; '))
      : `The logo is ${state.replace('_', ' ')}.`;
  },
  fixes: ({ state, bimi: { report } }) => {
    if (state === 'not_square') return ['not_square'];
    // Nothing was read of a file that could not be had.
    return report.logo && report.logo.title_present === null ? ['not_served'] : [];
  },
  values: ({ bimi }) => ({
    logo_url: bimi.report.logo_url ?? 'the URL of l=',
    bad_element: bimi.badElement ?? 'every script and external reference',
  }),
});

export const bimiCertificate = defineCheck({
  id: 'bimi_certificate',
  subject: ({ bimi }) =>
    thenLookup(bimi, (value) => mapLookup(value.certificate, (state) => ({ bimi: value, state }))),
  ladder: [
    ['warn', ({ state }) => state === 'invalid'],
    ['info', ({ state }) => state === 'absent'],
  ],
  detail: ({ state, bimi: { certificateFault } }) =>
    certificateFault ? sentence(certificateFault) : state === 'absent' ? 'No a=.' : 'Valid.',
  fixes: ({ state }) => (state === 'invalid' ? ['invalid'] : []),
  values: ({ bimi }, facts) => ({
    bimi_domain: bimiDomain(bimi, facts),
    fault: bimi.certificateFault ?? 'it is not',
  }),
});
