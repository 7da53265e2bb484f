import { askStep, serverStep } from '../advice/actions.ts';
import { publicFrom } from '../advice/fill.ts';
import { defineCheck } from '../define-check.ts';
import type { Facts, MailHosts } from '../facts.ts';
import { known, type LookupResult, mapLookup, thenLookup } from '../lookup-result.ts';
import { organizationalDomain } from '../names/domain-names.ts';
import { isPublicDomain } from '../names/host-name.ts';
import { mxSteps } from './mx-fixes.ts';
import {
  judgeMxHosts,
  type MxJudgement,
  mxFaults,
  mxFixes,
  mxValues,
  NO_FAULT,
} from './mx-hosts.ts';
import { isPool } from './shared-pool.ts';

/** Left out where SpamCop has no list: IPv6 and private addresses. */
export const spamcopListed = defineCheck({
  id: 'spamcop_listed',
  subject: (facts) =>
    thenLookup(
      facts.connection.spamcop,
      (state): LookupResult<'own' | 'pool' | 'clean'> | undefined => {
        if (state === 'not_applicable') return undefined;
        if (state === 'not_listed') return known('clean');
        return mapLookup(isPool(facts), (pool) => (pool ? 'pool' : 'own'));
      },
    ),
  ladder: [
    ['fail', (state) => state === 'own'],
    ['warn', (state) => state === 'pool'],
  ],
  detail: (state, { connection: { ip } }) =>
    state === 'clean'
      ? `${ip} is not listed.`
      : `${ip} is listed${state === 'pool' ? '; it belongs to a shared sending pool' : ''}.`,
  fixes: (state) => (state === 'pool' ? ['pool'] : []),
});

interface FromDomain extends MailHosts {
  readonly exists: boolean;
  /** Answers go to the From domain itself. */
  readonly takesReplies: boolean;
  readonly hosts: MxJudgement;
}

function judgeFromDomain({ names, headers }: Facts): LookupResult<FromDomain> | undefined {
  const absent: FromDomain = {
    exists: false,
    mx: [],
    nullMx: false,
    hasAddress: false,
    takesReplies: false,
    hosts: NO_FAULT,
  };
  return thenLookup(names.fromDomainExists, (exists) => {
    if (!exists) return known(absent);
    return thenLookup(names.fromMx, (lookup): LookupResult<FromDomain> => {
      if (!lookup.nullMx)
        return mapLookup(judgeMxHosts(lookup.mx, names.mxHosts), (hosts) => {
          return { exists, ...lookup, takesReplies: true, hosts };
        });
      return mapLookup(headers, ({ report: { reply_to_domain: replyTo } }) => {
        const takesReplies = !replyTo || replyTo === names.fromDomain;
        return { exists, ...lookup, takesReplies, hosts: NO_FAULT };
      });
    });
  });
}

export const fromDomainMx = defineCheck({
  id: 'from_domain_mx',
  subject: (facts) => (facts.names.fromDomain === null ? undefined : judgeFromDomain(facts)),
  ladder: [
    ['fail', ({ exists }) => !exists],
    [
      'warn',
      ({ mx, nullMx, takesReplies, hosts }) =>
        nullMx ? takesReplies : mx.length === 0 || hosts.noneLeft,
    ],
    ['warn', ({ hosts }) => hosts.dead.length > 0],
    ['info', ({ hosts }) => hosts.aliases.length > 0],
  ],
  detail: ({ exists, mx, nullMx, hasAddress, hosts }, { names: { fromDomain } }) => {
    if (!exists) return `${fromDomain} does not exist.`;
    const none = `none, and ${hasAddress ? 'an' : 'no'} address`;
    return `MX of ${fromDomain}: ${nullMx ? 'null MX, it takes no mail' : mx.join(', ') || none}${mxFaults(hosts)}.`;
  },
  fixes: ({ exists, mx, nullMx, hasAddress, hosts }, facts) => {
    if (publicFrom(facts) === null) return ['local'];
    if (!exists) return ['nonexistent'];
    if (nullMx) return ['null_mx'];
    if (mx.length > 0) return mxFixes(hosts);
    return hasAddress ? ['implicit'] : [];
  },
  values: ({ hosts }) => mxValues(hosts),
  cause: (_, { names }) => `mx:${names.fromDomain}`,
  steps: ({ exists, ...mx }, facts) => {
    const from = publicFrom(facts);
    if (from === null) return [askStep(SEND_AS_OWN, 'sender')];
    if (!exists) return [askStep(comeToExist(from))];
    return mxSteps(from, mx, 'replies', facts);
  },
});

/** Only a whole organization can be registered; a name below one is published. */
function comeToExist(domain: string): string {
  const organization = organizationalDomain(domain);
  return organization === domain
    ? `Register ${domain}, or publish its records. ${SEND_AS_OWN}`
    : `Send from an address at ${organization}, or publish an MX record at ${domain} that names your mail server.`;
}

const SEND_AS_OWN = 'Send from an address at a domain that you own and that takes mail.';

type EnvelopeMx = MailHosts & { readonly hosts: MxJudgement };

/** A return-path that nobody can send to: `root@localhost`, one label, an address literal. */
const isNowhere = ({ nullSender, envelopeDomain }: Facts['names']): boolean =>
  !nullSender && !isPublicDomain(envelopeDomain);

const NOWHERE: EnvelopeMx = { mx: [], nullMx: false, hasAddress: false, hosts: NO_FAULT };

/** Left out for the null sender: nobody answers its mail. */
export const envelopeDomainMx = defineCheck({
  id: 'envelope_domain_mx',
  subject: ({ names }): LookupResult<EnvelopeMx> | undefined => {
    const { envelopeMx, mxHosts } = names;
    if (isNowhere(names)) return known(NOWHERE);
    return envelopeMx
      ? thenLookup<MailHosts, EnvelopeMx>(envelopeMx, (lookup) =>
          mapLookup(judgeMxHosts(lookup.mx, mxHosts), (hosts) => ({ ...lookup, hosts })),
        )
      : undefined;
  },
  ladder: [
    [
      'fail',
      // RFC 5321 §5.1: without MX the address stands in for it.
      ({ mx, nullMx, hasAddress }) => nullMx || (mx.length === 0 && !hasAddress),
    ],
    ['fail', ({ hosts }) => hosts.noneLeft],
    ['warn', ({ hosts }) => hosts.dead.length > 0],
    ['info', ({ hosts }) => hosts.aliases.length > 0],
  ],
  detail: ({ mx, nullMx, hasAddress, hosts }, { names }) => {
    const { envelopeDomain } = names;
    if (isNowhere(names)) return `${envelopeDomain} is not a name that others can look up.`;
    const instead = hasAddress ? 'none, its address instead' : 'none, and no address';
    return `MX of ${envelopeDomain}: ${nullMx ? 'null MX, it takes no mail' : mx.join(', ') || instead}${mxFaults(hosts)}.`;
  },
  fixes: ({ nullMx, hosts }, { names }) => {
    if (isNowhere(names)) return ['no_domain'];
    return nullMx ? ['null_mx'] : mxFixes(hosts);
  },
  values: ({ hosts }) => mxValues(hosts),
  cause: (_, { names }) => (isNowhere(names) ? 'envelope_domain' : `mx:${names.envelopeDomain}`),
  steps: (mx, facts) => {
    if (!isNowhere(facts.names)) return mxSteps(facts.names.envelopeDomain, mx, 'bounces', facts);
    const from = publicFrom(facts);
    return [from === null ? askStep(SEND_AS_OWN, 'sender') : serverStep('envelope_domain', from)];
  },
});
