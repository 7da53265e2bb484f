import { askStep, serverStep } from '../advice/actions.ts';
import { publicFrom } from '../advice/fill.ts';
import { check } from '../check.ts';
import { asSeen } from '../definition.ts';
import type { Facts } from '../facts.ts';
import { known, type LookupResult, mapLookup, thenLookup } from '../lookup-result.ts';
import type { MailHosts } from '../names/facts.ts';
import { isPublicDomain } from '../names/host-name.ts';
import { SEND_AS_OWN } from './checks.ts';
import {
  hostStates,
  judgeMxHosts,
  type MxJudgement,
  mxEvidence,
  mxFaults,
  mxFixes,
  mxSteps,
  mxValues,
  NO_FAULT,
} from './mx-hosts.ts';

type EnvelopeMx = MailHosts & { readonly hosts: MxJudgement };

/** A return-path that nobody can send to: `root@localhost`, one label, an address literal. */
const isNowhere = ({ nullSender, envelopeDomain }: Facts['names']): boolean =>
  !nullSender && !isPublicDomain(envelopeDomain);

const NOWHERE: EnvelopeMx = { mx: [], nullMx: false, hasAddress: false, hosts: NO_FAULT };

/** Left out for the null sender: nobody answers its mail. */
export const envelopeDomainMx = check({
  id: 'envelope_domain_mx',
  family: 'reputation',
  title: 'Mail host (MX) of the envelope domain',
  source:
    'RFC 5321 §5.1; RFC 2181 §10.3; RFC 7505; Postfix reject_unknown_sender_domain; rspamd HFILTER_FROMHOST_NORES_A_OR_MX',
  about: {
    what: 'The domain that bounces go to should be able to receive mail.',
    why: 'Otherwise bounces are lost, you go on sending to dead addresses, and that harms your reputation.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'Publish an MX record at the bounce domain; your platform shows which one.',
    ],
    bad: 'bounce.example.com  MX  (no record)',
    good: 'bounce.example.com  MX  10 feedback-smtp.eu-west-1.amazonses.com',
    platforms: 'return_path',
  },
  subject: ({ names }): LookupResult<EnvelopeMx> | undefined => {
    const { envelopeMx, mxHosts } = names;
    if (isNowhere(names)) return known(NOWHERE);
    return envelopeMx
      ? thenLookup<MailHosts, EnvelopeMx>(envelopeMx, (lookup) =>
          mapLookup(judgeMxHosts(lookup.mx, mxHosts), (hosts) => ({ ...lookup, hosts })),
        )
      : undefined;
  },
  states: (made) => ({
    // RFC 5321 §5.1: without MX the address stands in for it.
    no_such_domain: made
      .fail(10, 59)
      .when(
        'no name that others can look up, neither MX nor address records, or a null MX: many receivers refuse such a MAIL FROM',
        ({ mx, nullMx, hasAddress }) => nullMx || (mx.length === 0 && !hasAddress),
      ),
    unreachable: made
      .fail(10)
      .when(
        'an MX of whose hosts none can be reached: bounces cannot be delivered',
        ({ hosts }) => hosts.noneLeft,
      ),
    ...hostStates(made),
    reachable: made.pass('MX, or an address record in its place'),
  }),
  detail: ({ mx, nullMx, hasAddress, hosts }, { names }) => {
    const { envelopeDomain } = names;
    if (isNowhere(names)) return `${envelopeDomain} is not a name that others can look up.`;
    const instead = hasAddress ? 'none, its address instead' : 'none, and no address';
    return `MX of ${envelopeDomain}: ${nullMx ? 'null MX, it takes no mail' : mx.join(', ') || instead}${mxFaults(hosts)}.`;
  },
  evidence: (lookup, { names: { envelopeDomain } }) => ({
    domain: envelopeDomain,
    ...mxEvidence(lookup),
  }),
  fix: '{envelope_domain} names no mail host, so bounces are lost.',
  fixes: {
    no_domain: 'Bounces go to {envelope_domain}, which nobody outside can reach.',
    null_mx: '{envelope_domain} says it takes no mail (null MX), so bounces are lost.',
    dead: 'No bounce can reach {dead_hosts}.',
    some_dead: 'No mail can get to {dead_hosts}, a mail host (MX) of {envelope_domain}.',
    alias: 'The MX of {envelope_domain} names an alias (CNAME), and an MX record may not.',
  },
  cases: ({ nullMx, hosts }, { names }) => {
    if (isNowhere(names)) return ['no_domain'];
    return nullMx ? ['null_mx'] : asSeen(...mxFixes(hosts));
  },
  values: ({ hosts }) => mxValues(hosts),
  cause: (_, { names }) => (isNowhere(names) ? 'envelope_domain' : `mx:${names.envelopeDomain}`),
  steps: (mx, facts) => {
    if (!isNowhere(facts.names)) return mxSteps(facts.names.envelopeDomain, mx, 'bounces', facts);
    const from = publicFrom(facts);
    return [from === null ? askStep(SEND_AS_OWN, 'sender') : serverStep('envelope_domain', from)];
  },
});
