import { defineCheck } from '../define-check.ts';
import { type DmarcFacts, known, unknown } from '../facts.ts';
import { thenLooked } from '../looked.ts';
import { withTags } from '../records/correct-dmarc.ts';
import { mailHostOf } from '../records/dmarc.ts';
import { recordDomain, reportAddress } from './dmarc-record.ts';

type Address = NonNullable<DmarcFacts['report']['rua']>[number];

const isMailto = ({ uri }: Address): boolean => /^mailto:/i.test(uri);

/** Whether reports reach an address; `undefined`: a look-up that would tell did not answer. */
function isDeliverable(address: Address): boolean | undefined {
  const { external, authorized, has_mx } = address;
  if (!isMailto(address) || has_mx === false) return false;
  // RFC 9990: a domain elsewhere must say that it takes the reports.
  if (external && authorized === false) return false;
  return has_mx === null || (external && authorized === null) ? undefined : true;
}

/** What stands for an address: its domain, without the local part. */
const nameOf = (one: Address): string =>
  mailHostOf(one.uri) ?? (isMailto(one) ? 'an address without a domain' : one.uri);

function inWords(one: Address): string {
  const { external, authorized, has_mx } = one;
  if (!isMailto(one)) return 'not mailto:, receivers cannot use it';
  if (has_mx === false) return 'takes no mail (neither MX nor address)';
  if (external && authorized === false) return 'has not said that it takes these reports';
  return isDeliverable(one) ? 'takes reports' : 'not known';
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
    return `${all.map((one) => `${nameOf(one)}: ${inWords(one)}`).join('; ')}.`;
  },
  fixes: (dmarc) => (refused(dmarc) ? ['authorize'] : []),
  values: (dmarc, facts) => {
    const elsewhere = refused(dmarc);
    return {
      policy_domain: recordDomain(dmarc, facts),
      corrected_record: withTags(dmarc.tags, { rua: reportAddress(dmarc, facts) }),
      ...(elsewhere && { rua_domain: nameOf(elsewhere) }),
    };
  },
});

/** An address elsewhere that could take the reports, if its domain said so. */
const refused = (dmarc: DmarcFacts): Address | undefined =>
  addressesOf(dmarc).find(
    ({ external, authorized, has_mx }) => external && authorized === false && has_mx !== false,
  );
