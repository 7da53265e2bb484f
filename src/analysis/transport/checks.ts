/** The checks of a domain's MTA-STS policy and TLS reporting (TLS-RPT). */

import { askStep, dnsStep, mailboxStep, type Step } from '../advice/actions.ts';
import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { mailHostsOf, ofReceiver } from '../names/domain-names.ts';
import { isPublicHost } from '../names/host-name.ts';
import { correctAddress, intendedAddresses, takesTlsReports } from '../syntax/report-address.ts';
import { plainTags, readTags } from '../syntax/tag-list.ts';
import type { TransportFacts } from './facts.ts';
import { MAX_AGE_SECONDS, matchesPattern } from './policies.ts';

/** A week, in seconds. This age is long enough to outlast an attack, as RFC 8461 §3.2 advises. */
const GOOD_AGE_SECONDS = 604_800;

const domainOf = ({ transport, names }: Facts) => transport.report.domain ?? names.fromDomain;

type MtaSts = Extract<TransportFacts['mtaSts'], { status: 'known' }>['value'];

const STS_IN_WORDS = {
  enforce: 'the policy is enforced',
  testing: 'the policy is in testing mode',
  none: 'the policy is in mode none',
  absent: 'no record',
  broken: 'the policy is broken',
} as const;

/**
 * Returns the hosts that a policy must name, or null if they are unknown. A host that is left out receives no
 * mail once the policy is enforced (RFC 8461 §4.1, §5).
 */
function mailHosts({ names: { fromMx, fromDomain } }: Facts): readonly string[] | null {
  const lookup = ifKnown(fromMx);
  if (!lookup) return null;
  const usable = mailHostsOf(fromDomain ?? '', lookup).filter(isPublicHost);
  return usable.length > 0 ? usable : null;
}

/**
 * Returns the text of the policy to serve, derived from the present policy and the current MX hosts, or null
 * if neither is known.
 */
function policyText(facts: Facts, state: MtaSts['state']): string | null {
  const own = facts.transport.report.mta_sts?.policy;
  const published = own?.mx ?? [];
  const hosts = mailHosts(facts);
  const covers = (patterns: readonly string[], host: string) =>
    patterns.some((pattern) => matchesPattern(host, pattern));
  const kept = hosts
    ? published.filter((pattern) => hosts.some((host) => covers([pattern], host)))
    : published;
  const added = hosts?.filter((host) => !covers(kept, host)) ?? [];
  const patterns = [...kept, ...added];
  if (patterns.length === 0) return null;
  const age = own?.max_age ?? 0;
  // If a wrong policy is enforced at once, mail is not delivered, so a new one begins in testing mode (RFC
  // 8461 §5).
  const isEnforced = state === 'testing' || (own?.mode === 'enforce' && hosts !== null);
  return [
    'version: STSv1',
    `mode: ${isEnforced ? 'enforce' : 'testing'}`,
    ...patterns.map((pattern) => `mx: ${pattern}`),
    `max_age: ${age > 0 && age <= MAX_AGE_SECONDS ? age : GOOD_AGE_SECONDS}`,
    '',
  ].join('\n');
}

/** Returns a policy id of 1 to 32 letters and digits, which is different for each change (RFC 8461 §3.1). */
const newId = ({ receivedAt }: Facts): string => receivedAt.replace(/\D/g, '').slice(0, 14);

function stsSteps({ state, fault, published = [] }: MtaSts, facts: Facts): readonly Step[] {
  const domain = domainOf(facts) ?? '';
  const report = facts.transport.report.mta_sts;
  const record = dnsStep(`_mta-sts.${domain}`, 'TXT', `v=STSv1; id=${newId(facts)}`, published);
  // Without a usable record, no policy was requested.
  if (state === 'broken' && report?.id === null) return [record];
  const policy = policyText(facts, state);
  if (policy === null)
    return [
      askStep(
        'Your mail hosts (MX) could not be looked up. The policy file has to name each of them on its own line (mx:).',
      ),
    ];
  const file: Step = {
    owner: 'domain_owner',
    kind: 'server',
    operation: 'publish',
    name: `https://mta-sts.${domain}/.well-known/mta-sts.txt`,
    type: 'text/plain',
    value: policy,
    replaces: [],
  };
  const wait = askStep(
    'Read the TLS reports (TLS-RPT) for a few weeks. Continue only when they show no failures.',
  );
  // A policy that could not be read may be stricter than the new one, and may be right.
  const keep = askStep(
    `Is there a policy file already? If so, leave it as it is, and correct only how it is served: ${fault ?? 'it cannot be read'}. If not, continue.`,
  );
  return [
    ...(state === 'testing' ? [wait] : []),
    ...(state === 'broken' && report?.policy === undefined ? [keep] : []),
    file,
    record,
  ];
}

export const mtaSts = check({
  id: 'mta_sts',
  family: 'transport',
  title: 'MTA-STS',
  source: 'RFC 8461',
  about: {
    what: 'MTA-STS tells other servers to deliver mail to you only over verified encryption.',
    why: 'It protects what others send to you. It does not change how your own mail is judged.',
    how: [
      'Publish a policy file at https://mta-sts.example.com/.well-known/mta-sts.txt, in testing mode.',
      'Publish the TXT record at _mta-sts, and enforce the policy once the reports show no failures.',
    ],
    bad: '_mta-sts.example.com  TXT  (no record)',
    good: '_mta-sts.example.com  TXT  "v=STSv1; id=20261122"',
  },
  subject: (facts) => ofReceiver(facts, facts.transport.mtaSts),
  states: ({ warn, suggest, pass }) => ({
    broken: warn(0).when(
      'record without a valid policy, wrong id, mode or max_age, or an MX not covered',
      ({ state }) => state === 'broken',
    ),
    absent: suggest.when(
      'none, or mode none',
      ({ state }) => state === 'absent' || state === 'none',
    ),
    testing: suggest.when('mode testing', ({ state }) => state === 'testing'),
    enforced: pass('mode enforce'),
  }),
  detail: ({ state, fault }, facts) =>
    `_mta-sts.${domainOf(facts)}: ${fault ?? STS_IN_WORDS[state]}.`,
  evidence: ({ state, fault }, facts) => ({
    name: `_mta-sts.${domainOf(facts)}`,
    state,
    fault: fault ?? null,
  }),
  fix: {
    why: 'Nothing tells other servers to use TLS when they send mail to {domain}. Start in testing mode, which changes nothing yet.',
    do: 'Put a policy file on your web server and publish its record.',
  },
  fixes: {
    record: 'Senders cannot use your MTA-STS record.',
    policy: 'Senders cannot use your MTA-STS policy file as it is.',
    enforce:
      'Your MTA-STS policy is in testing mode, so senders still deliver mail without verified encryption.',
  },
  cases: ({ state }, { transport: { report } }) => {
    if (state === 'absent' || state === 'none') return [];
    if (state === 'testing') return ['enforce'];
    // Without a usable record, no policy was requested.
    return [report.mta_sts?.id === null ? 'record' : 'policy'];
  },
  values: (_, facts) => ({ domain: domainOf(facts) ?? '' }),
  steps: stsSteps,
});

/** Returns the intended report addresses in TLS-RPT records, without those to which no report can go. */
function tlsRptAddresses(records: readonly string[]): readonly string[] {
  const said = records
    .flatMap((record) => readTags(plainTags(record, ['v', 'rua'])))
    .flatMap(([name, value]) =>
      name.toLowerCase() === 'rua' ? intendedAddresses(value ?? '') : [],
    );
  const meant = said.flatMap((uri) => correctAddress(uri) ?? []);
  return [...new Set(meant.filter(takesTlsReports))];
}

export const tlsRpt = check({
  id: 'tls_rpt',
  family: 'transport',
  title: 'TLS reporting',
  source: 'RFC 8460',
  about: {
    what: 'TLS reporting asks other servers to tell you when they cannot reach your server securely.',
    why: 'Without it, you do not learn that mail to you fails.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'Publish a TXT record at _smtp._tls with an address for the reports.',
    ],
    bad: '_smtp._tls.example.com  TXT  (no record)',
    good: '_smtp._tls.example.com  TXT  "v=TLSRPTv1; rua=mailto:tls@example.com"',
  },
  subject: (facts) => ofReceiver(facts, facts.transport.tlsRpt),
  states: ({ warn, suggest, pass }) => ({
    broken: warn(0).when(
      'several records, or rua missing/invalid',
      ({ state }) => state === 'broken',
    ),
    absent: suggest.when('none', ({ state }) => state === 'absent'),
    valid: pass('valid'),
  }),
  detail: ({ state, fault }, facts) => {
    const { rua = [] } = facts.transport.report.tls_rpt ?? {};
    const said = state === 'absent' ? 'no record' : `reports go to ${rua.join(', ')}`;
    return `_smtp._tls.${domainOf(facts)}: ${fault ?? said}.`;
  },
  evidence: ({ state, fault }, facts) => ({
    name: `_smtp._tls.${domainOf(facts)}`,
    state,
    fault: fault ?? null,
  }),
  fix: '{domain} does not ask for reports on TLS failures, so nobody tells you when mail to you cannot be delivered securely.',
  fixes: {
    broken: 'Senders cannot use your TLS reporting record.',
  },
  cases: ({ state }) => (state === 'broken' ? ['broken'] : []),
  values: (_, facts) => ({ domain: domainOf(facts) ?? '' }),
  steps: ({ published = [] }, facts) => {
    const domain = domainOf(facts) ?? '';
    const own = tlsRptAddresses(published);
    const rua = own.length > 0 ? own.join(',') : `mailto:tls@${domain}`;
    return [
      ...(own.length > 0 ? [] : [mailboxStep(`tls@${domain}`)]),
      dnsStep(`_smtp._tls.${domain}`, 'TXT', `v=TLSRPTv1; rua=${rua}`, published),
    ];
  },
});
