import { defineCheck } from '../define-check.ts';
import { type BimiFacts, known, unknown } from '../facts.ts';
import { mapLooked, thenLooked } from '../looked.ts';

const isAbsent = ({ report }: BimiFacts): boolean => !report.record;

export const bimiRecord = defineCheck({
  id: 'bimi_record',
  // Without a From domain there is no name that could have a logo.
  subject: ({ bimi, names }) =>
    names.fromDomain === null
      ? undefined
      : thenLooked<BimiFacts, BimiFacts>(bimi, (value) =>
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
  detail: (bimi) =>
    bimi.recordFault !== null
      ? `${bimi.recordFault}.`
      : bimi.declined
        ? 'The domain declines to show a logo.'
        : isAbsent(bimi)
          ? 'No record.'
          : 'The record is usable.',
});

export const bimiDmarcReady = defineCheck({
  id: 'bimi_dmarc_ready',
  subject: ({ bimi }) => bimi,
  ladder: [
    [
      'warn',
      ({ report, organizationalDomainReady }) =>
        report.dmarc_ready === false || !organizationalDomainReady,
    ],
  ],
  detail: ({ report, organizationalDomainReady }) => {
    const word = (ready: boolean) => (ready ? 'enforced' : 'not enforced');
    return `DMARC is ${word(report.dmarc_ready !== false)} at the From domain, ${word(organizationalDomainReady)} at the organizational domain.`;
  },
});

export const bimiLogo = defineCheck({
  id: 'bimi_logo',
  subject: ({ bimi }) =>
    thenLooked(bimi, (value) => mapLooked(value.logo, (state) => ({ bimi: value, state }))),
  ladder: [
    ['warn', ({ state }) => state === 'invalid'],
    ['info', ({ state }) => state === 'not_square'],
  ],
  detail: ({ state, bimi: { report } }) => {
    const errors = report.logo?.errors ?? [];
    return errors.length > 0 ? `${errors.join('; ')}.` : `The logo is ${state.replace('_', ' ')}.`;
  },
  values: ({ bimi }) => ({ bad_element: bimi.badElement ?? 'every script and external reference' }),
});

export const bimiCertificate = defineCheck({
  id: 'bimi_certificate',
  subject: ({ bimi }) =>
    thenLooked(bimi, (value) => mapLooked(value.certificate, (state) => ({ bimi: value, state }))),
  ladder: [
    ['warn', ({ state }) => state === 'invalid'],
    ['info', ({ state }) => state === 'absent'],
  ],
  detail: ({ state, bimi: { certificateFault } }) =>
    certificateFault ? `${certificateFault}.` : state === 'absent' ? 'No a=.' : 'Valid.',
});
