import { defineCheck } from '../define-check.ts';
import { type DmarcFacts, known, unknown } from '../facts.ts';
import { thenLooked } from '../looked.ts';

type Address = NonNullable<DmarcFacts['report']['rua']>[number];

/** The domain of a `mailto:` URI, without its local part. */
const domainOf = ({ uri }: Address): string => uri.split('@').at(-1)?.split(/[?!]/)[0] ?? '';

/** Whether reports reach an address; `undefined`: a look-up that would tell did not answer. */
function isDeliverable({ uri, external, authorized, has_mx }: Address): boolean | undefined {
  if (!/^mailto:/i.test(uri) || has_mx === false) return false;
  // RFC 9990: a domain elsewhere must say that it takes the reports.
  if (external && authorized === false) return false;
  return has_mx === null || (external && authorized === null) ? undefined : true;
}

const addressesOf = ({ report }: DmarcFacts): readonly Address[] => report.rua ?? [];

export const dmarcRua = defineCheck({
  id: 'dmarc_rua',
  subject: ({ dmarc }) =>
    thenLooked<DmarcFacts, DmarcFacts>(dmarc, (value) => {
      if (value.ignoredBecause !== null) return undefined;
      const states = addressesOf(value).map(isDeliverable);
      return states.includes(undefined) && !states.includes(true)
        ? unknown(`dns: rua= of _dmarc.${value.report.record_domain ?? ''}: not all answered`)
        : known(value);
    }),
  ladder: [['warn', (dmarc) => !addressesOf(dmarc).some(isDeliverable)]],
  detail: (dmarc) => {
    const all = addressesOf(dmarc);
    if (all.length === 0) return 'No rua=.';
    const good = all.filter(isDeliverable).length;
    return `${good} of ${all.length} report addresses can be reached (${all.map(domainOf).join(', ')}).`;
  },
  values: (dmarc, { names }) => {
    const elsewhere = addressesOf(dmarc).find(
      ({ external, authorized }) => external && authorized === false,
    );
    return {
      from_domain: dmarc.report.record_domain ?? names.fromDomain ?? 'YOUR.DOMAIN',
      rua_domain: elsewhere ? domainOf(elsewhere) : 'REPORTS.DOMAIN',
    };
  },
});
