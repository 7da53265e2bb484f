import { askStep } from '../advice/actions.ts';
import type { DmarcFacts } from '../authentication-facts.ts';
import { defineCheck } from '../define-check.ts';
import { known, thenLookup, unknown } from '../lookup-result.ts';
import { dmarcCause, dmarcOthers, recordSteps } from './fixes.ts';
import { mailHostOf } from './parse.ts';
import { isDeliverable, isMailto, type RuaAddress } from './rua-address.ts';

/** What stands for an address: its domain, without the local part. */
const nameOf = (one: RuaAddress): string =>
  mailHostOf(one.uri) ?? (isMailto(one) ? 'an address without a domain' : one.uri);

function formatRuaAddress(one: RuaAddress): string {
  const { external, authorized, has_mx } = one;
  if (!isMailto(one)) return 'not mailto:, receivers cannot use it';
  if (mailHostOf(one.uri) === null) return 'receivers cannot use it';
  if (has_mx === false) return 'takes no mail (neither MX nor address)';
  if (external && authorized === false) return 'has not said that it takes these reports';
  return isDeliverable(one) ? 'takes reports' : 'not known';
}

const addressesOf = ({ report }: DmarcFacts): readonly RuaAddress[] => report.rua ?? [];

export const dmarcRua = defineCheck({
  id: 'dmarc_rua',
  subject: ({ dmarc }) =>
    thenLookup<DmarcFacts, DmarcFacts>(dmarc, (value) => {
      if (value.ignoredBecause !== null) return undefined;
      const states = value.report.rua?.map(isDeliverable) ?? [undefined];
      return states.includes(undefined) && !states.includes(true)
        ? unknown(`dns: rua= of _dmarc.${value.report.record_domain ?? ''}: not all answered`)
        : known(value);
    }),
  ladder: [['warn', (dmarc) => !addressesOf(dmarc).some(isDeliverable)]],
  detail: (dmarc) => {
    const all = addressesOf(dmarc);
    if (all.length === 0) return 'No rua=.';
    return `${all.map((one) => `${nameOf(one)}: ${formatRuaAddress(one)}`).join('; ')}.`;
  },
  fixes: (dmarc) => (refused(dmarc) ? ['authorize'] : []),
  values: (dmarc) => {
    const elsewhere = refused(dmarc);
    return elsewhere ? { rua_domain: nameOf(elsewhere) } : {};
  },
  steps: (dmarc, facts, name) => [
    ...recordSteps(dmarc, facts),
    ...(name === 'authorize' ? [askStep(ASK_TO_TAKE, 'platform')] : []),
  ],
  others: dmarcOthers,
  cause: dmarcCause,
});

const ASK_TO_TAKE = 'If you use that service, ask it to say in its DNS that it takes your reports.';

/** An address elsewhere that could take the reports, if its domain said so. */
const refused = (dmarc: DmarcFacts): RuaAddress | undefined =>
  addressesOf(dmarc).find(
    ({ external, authorized, has_mx }) => external && authorized === false && has_mx !== false,
  );
