import { deleteStep, dnsStep, type Step, serverStep } from '../advice/actions.ts';
import { publicFrom } from '../advice/fill.ts';
import { isOwnName } from '../advice/ownership.ts';
import { handedOn, ifOwnServer } from '../advice/whose-server.ts';
import type { SpfFacts } from '../authentication-facts.ts';
import { defineCheck } from '../define-check.ts';
import type { Facts } from '../facts.ts';
import { formatCount, formatList } from '../format.ts';
import {
  ifKnown,
  known,
  type LookupResult,
  mapLookup,
  thenLookup,
  unknown,
} from '../lookup-result.ts';
import { isPublicDomain, isPublicHost } from '../names/host-name.ts';
import { mailHost } from '../names/mail-host.ts';
import { publicIp } from '../names/sending-ip.ts';
import { isSharedPool } from '../names/shared-pools.ts';
import { isReverse } from './correct-term.ts';
import {
  askAboutSender,
  brokenOf,
  heloSteps,
  oneRecord,
  spfCause,
  spfChanges,
  spfOthers,
  spfSteps,
} from './fixes.ts';
import { isLengthFault } from './lint.ts';
import { MAX_LOOKUPS, MAX_VOID_LOOKUPS, parseSpf } from './parse.ts';
import { planSpf, spfRecordsOf } from './plan.ts';

/** What all fixes of the envelope domain's record share. */
const shared = { steps: spfSteps, others: spfOthers, cause: spfCause, more: spfChanges };

/** A bounce, whose HELO name can have no SPF: it gets a name that can. */
function heloToSet(facts: Facts): readonly Step[] {
  const { name, resolves } = mailHost(facts);
  const ip = publicIp(facts.names.ip);
  if (name === null || !isPublicHost(name) || ip === null) return [];
  return ifOwnServer(facts, [
    ...(resolves ? [] : [dnsStep(name, ip.includes(':') ? 'AAAA' : 'A', ip)]),
    dnsStep(name, 'TXT', 'v=spf1 a -all'),
    serverStep('helo', name),
  ]);
}

const hasNoName = ({ report: { scope, domain } }: SpfFacts): boolean =>
  scope === 'helo' ? !isPublicHost(domain) : !isPublicDomain(domain);

export const spfRecord = defineCheck({
  id: 'spf_record',
  subject: ({ spf }) => spf,
  ladder: [
    ['fail', (spf) => spfRecordsOf(spf).length === 0 && spf.report.scope !== 'helo'],
    // Few servers publish one for their HELO name, and receivers take their bounces.
    ['warn', (spf) => spfRecordsOf(spf).length === 0],
  ],
  detail: (spf) => {
    const { length } = spfRecordsOf(spf);
    const elsewhere = length === 0 ? spf.syntaxFaults.map(({ bad }) => ` Found: ${bad}.`) : [];
    const none =
      spf.lookalike === undefined ? '' : ` Found: ${spf.lookalike}, which is not an SPF record.`;
    return `${formatCount(length, 'SPF record')} at ${spf.report.domain}.${none}${elsewhere.join('')}`;
  },
  ...shared,
  fixes: (spf) => {
    if (hasNoName(spf)) return [spf.report.scope === 'helo' ? 'no_name' : 'no_domain'];
    if (spf.lookalike !== undefined) return ['lookalike'];
    // Without a record the only fault there can be is one in another place.
    return spf.syntaxFaults.length > 0 ? ['elsewhere'] : [];
  },
  others: (spf, facts) => (hasNoName(spf) ? undefined : spfOthers(spf, facts)),
  cause: (spf) => {
    if (!hasNoName(spf)) return spfCause(spf);
    return spf.report.scope === 'helo' ? 'helo' : 'envelope_domain';
  },
  steps: (spf, facts) => {
    if (!hasNoName(spf))
      return planSpf(spf, facts).doubt === null ? spfSteps(spf, facts) : askAboutSender(spf, facts);
    if (spf.report.scope === 'helo') return heloToSet(facts);
    const from = publicFrom(facts);
    return from === null ? [] : [serverStep('envelope_domain', from)];
  },
});

export const spfMultipleRecords = defineCheck({
  id: 'spf_multiple_records',
  subject: ({ spf }) => spf,
  ladder: [['fail', (spf) => spfRecordsOf(spf).length > 1]],
  detail: (spf) => `${formatCount(spfRecordsOf(spf).length, 'SPF record')}; the limit is 1.`,
  ...shared,
});

/** Whether one of the other SPF checks names the cause of a `permerror`. */
const isExplained = (spf: SpfFacts): boolean =>
  spfRecordsOf(spf).length > 1 ||
  (spf.report.lookups ?? 0) > MAX_LOOKUPS ||
  (spf.report.void_lookups ?? 0) > MAX_VOID_LOOKUPS ||
  (spf.brokenTerms.length === 0 && spf.syntaxFaults.some(({ severity }) => severity === 'fail'));

/** The term that names the sender without letting it pass; null: none does, or a limit was met. */
const namedTerm = ({ report: { result, matched_term } }: SpfFacts): string | null =>
  result !== 'permerror' && matched_term && /^[-~?](?!all$)/i.test(matched_term)
    ? matched_term
    : null;

/** Left out when another check has the cause of the `permerror`: there is no result to judge. */
export const spfResult = defineCheck({
  id: 'spf_result',
  subject: ({ spf }) =>
    thenLookup<SpfFacts, SpfFacts>(spf, (value) => {
      const { result, domain } = value.report;
      if (result === 'temperror') return unknown(`dns: SPF of ${domain}: temperror`);
      return result === 'permerror' && isExplained(value) ? undefined : known(value);
    }),
  ladder: [
    ['fail', ({ report: { result } }) => result === 'fail' || result === 'permerror'],
    ['warn', ({ report: { result } }) => result === 'softfail'],
    ['warn', ({ report: { result } }) => result === 'neutral' || result === 'none'],
  ],
  detail: (spf, { names: { ip } }) => {
    const { result, domain, matched_term, error } = spf.report;
    const cause = [
      ...(matched_term ? [`by "${matched_term}"`] : []),
      ...(error ? [error] : []),
      ...brokenOf(spf).map(({ term, why }) => `${term} is broken: ${why}`),
    ];
    return `${[`${result} for ${ip ?? 'the sending IP'} at ${domain}`, ...cause].join(', ')}.`;
  },
  ...shared,
  others: (spf, facts) => handedOn(facts, 'sent it from its own server') ?? spfOthers(spf, facts),
  fixes: (spf, facts) => {
    if (planSpf(spf, facts).doubt !== null) return [namedTerm(spf) === null ? 'doubt' : 'excluded'];
    if (brokenOf(spf).some(({ isOfSender }) => isOfSender)) return ['of_sender'];
    if (namedTerm(spf) !== null) return ['excluded'];
    return spf.report.result === 'permerror' ? ['permerror'] : [];
  },
  // A record that leaves this sender out puts right what is wrong with it besides, not this.
  steps: (spf, facts) =>
    planSpf(spf, facts).doubt === null ? spfSteps(spf, facts) : askAboutSender(spf, facts),
  more: (spf, facts) => (planSpf(spf, facts).doubt === null ? spfChanges(spf, facts) : ''),
  values: (spf) => ({
    terms: brokenOf(spf).find(({ isOfSender }) => isOfSender)?.term ?? namedTerm(spf) ?? '',
    why:
      formatList(brokenOf(spf).map(({ term, why }) => `${term}: ${why}`)) ||
      (spf.report.error ?? 'it has a fault'),
  }),
});

export const spfSyntax = defineCheck({
  id: 'spf_syntax',
  subject: oneRecord,
  ladder: [
    ['fail', ({ syntaxFaults }) => syntaxFaults.some(({ severity }) => severity === 'fail')],
    ['warn', ({ syntaxFaults }) => syntaxFaults.length > 0],
  ],
  detail: ({ syntaxFaults }) =>
    syntaxFaults.length === 0
      ? 'No faults.'
      : `${formatCount(syntaxFaults.length, 'fault')}: ${syntaxFaults.map(({ bad }) => bad).join(', ')}.`,
  ...shared,
  fixes: (spf, facts) => {
    if (spf.syntaxFaults.every(isType99)) return ['type99'];
    const others = spf.syntaxFaults.filter((fault) => !isLengthFault(fault));
    const isLong = planSpf(spf, facts).isLong ? ['long'] : [];
    if (others.length === 0) return isLong.length > 0 ? isLong : ['split'];
    return [others.every(isReverseTerm) ? 'reverse' : 'fix', ...isLong];
  },
  steps: (spf, facts, name) => [
    ...(spf.syntaxFaults.some(isType99)
      ? [deleteStep(spf.report.domain, 'SPF', [spf.report.record ?? ''])]
      : []),
    // What only its owner can shorten is not printed again.
    ...(name === 'long' ? [] : spfSteps(spf, facts)),
  ],
});

const isReverseTerm = ({ bad }: SpfFacts['syntaxFaults'][number]): boolean =>
  parseSpf(`v=spf1 ${bad}`).every(isReverse);

const isType99 = ({ bad }: SpfFacts['syntaxFaults'][number]): boolean =>
  bad.startsWith('the SPF (type 99)');

/**
 * Only for a HELO that others can look up, which `helo_valid` judges, and that may be the sender's
 * own: that of a shared pool is the provider's business.
 */
export const spfHelo = defineCheck({
  id: 'spf_helo',
  subject: ({ spf, names: { helo } }): LookupResult<string> | undefined =>
    helo === null || !isPublicHost(helo) || isSharedPool(helo)
      ? undefined
      : thenLookup(spf, (value) =>
          thenLookup(value.helo, ({ result }) =>
            result === 'temperror'
              ? unknown(`dns: SPF of ${helo}: temperror`)
              : mapLookup(value.helo, () => result),
          ),
        ),
  ladder: [['info', (result) => result !== 'pass']],
  detail: (result, { names: { helo } }) => `${result} for ${helo?.replace(/\.$/, '')}.`,
  fixes: (result) => (result === 'none' ? ['absent'] : []),
  steps: (_, facts) => {
    const spf = ifKnown(facts.spf);
    // Of a bounce it is the record that is judged already: there is one for a name.
    return spf && (spf.report.scope === 'helo' ? spfSteps(spf, facts) : heloSteps(spf, facts));
  },
  others: (_, facts) => {
    const { helo } = facts.names;
    const name = helo?.replace(/\.$/, '').toLowerCase() ?? '';
    return isOwnName(name, facts)
      ? undefined
      : {
          owner: 'platform',
          why: `The server that sent this mail greets as ${name}, which is not a name of your domain.`,
          ask: 'Ask who runs that server to publish an SPF record for its name.',
        };
  },
});
