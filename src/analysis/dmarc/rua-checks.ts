import { askStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { known, thenLookup, unknown } from '../lookup-result.ts';
import type { DmarcFacts } from './facts.ts';
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

export const dmarcRua = check({
  id: 'dmarc_rua',
  family: 'dmarc',
  gate: 'dmarc_record',
  title: 'DMARC aggregate reports',
  source: 'RFC 9990',
  about: {
    what: 'The tag rua= names the address that receives a daily summary of who sends as you.',
    why: 'Without the reports you cannot know whether a stricter policy would hit mail of your own.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'Add rua=mailto: with an address that is read, or with that of a service that shows reports as charts.',
    ],
    bad: '"v=DMARC1; p=none"',
    good: '"v=DMARC1; p=none; rua=mailto:dmarc@example.com"',
  },
  subject: ({ dmarc }) =>
    thenLookup<DmarcFacts, DmarcFacts>(dmarc, (value) => {
      if (value.ignoredBecause !== null) return undefined;
      const states = value.report.rua?.map(isDeliverable) ?? [undefined];
      return states.includes(undefined) && !states.includes(true)
        ? unknown(`dns: rua= of _dmarc.${value.report.record_domain ?? ''}: not all answered`)
        : known(value);
    }),
  states: ({ warn, pass }) => ({
    undeliverable: warn(2).when(
      'no rua=, or not deliverable (not mailto:, no MX, no external authorization)',
      (dmarc) => !addressesOf(dmarc).some(isDeliverable),
    ),
    deliverable: pass('at least one deliverable rua='),
  }),
  detail: (dmarc) => {
    const all = addressesOf(dmarc);
    if (all.length === 0) return 'No rua=.';
    return `${all.map((one) => `${nameOf(one)}: ${formatRuaAddress(one)}`).join('; ')}.`;
  },
  evidence: (dmarc) => ({
    addresses: addressesOf(dmarc).map((one) => `${nameOf(one)}: ${formatRuaAddress(one)}`),
  }),
  fixes: {
    fix: {
      why: 'Your DMARC record names no address that can receive reports, so you do not see who sends as you.',
      do: 'Add rua= to the record with an address that takes mail.',
    },
    authorize: {
      why: 'The owner of {rua_domain} has not said that it takes your reports, so receivers do not send them.',
      do: 'If you use that service, ask it to say so in its DNS.',
    },
  },
  cases: (dmarc) => (refused(dmarc) ? ['authorize'] : []),
  values: (dmarc) => {
    const elsewhere = refused(dmarc);
    return { rua_domain: elsewhere ? nameOf(elsewhere) : '' };
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
