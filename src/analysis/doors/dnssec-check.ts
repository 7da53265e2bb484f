import { askStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { formatList } from '../format.ts';
import { ofReceiver } from '../names/takes-mail.ts';
import type { DoorFacts, Signed } from './facts.ts';

type Dnssec = Extract<DoorFacts['dnssec'], { status: 'known' }>['value'];

const hostsThatAre = ({ hosts }: Dnssec, signed: Signed): readonly string[] =>
  Object.keys(hosts).filter((host) => hosts[host] === signed);

/** Names whose answers a resolver throws away. */
const bogusNames = (one: Dnssec, domain: string | null): readonly string[] => [
  ...new Set([...(one.domain === 'bogus' ? [domain ?? ''] : []), ...hostsThatAre(one, 'bogus')]),
];

const IN_WORDS = { secure: 'signed', insecure: 'not signed', bogus: 'signed, and not provable' };

export const dnssec = check({
  id: 'dnssec',
  family: 'transport',
  title: 'DNSSEC of the From domain and its mail hosts',
  source: 'RFC 9364; RFC 4035 §4.3; RFC 8914',
  about: {
    what: 'DNSSEC signs the records of a domain, so that nobody on the way can change them.',
    why: 'A signature that is broken is worse than none: resolvers that check it find no records, and mail from and to the domain fails. DANE needs it.',
    how: [
      'Turn DNSSEC on where the DNS of your domain is hosted, and copy the DS record to your registrar.',
      'Before you change the DNS provider, have the DS record removed, and wait a day.',
      'If it is broken, compare the DS record at the registrar with the key that your DNS host shows.',
    ],
    bad: 'example.com  DS  (of a key that the zone does not have)',
    good: 'example.com  DS  12345 13 2 (the hash of a key of the zone)',
  },
  subject: (facts) => ofReceiver(facts, facts.doors.dnssec),
  states: ({ warn, info, pass }) => ({
    bogus: warn(0).when(
      'a resolver that checks signatures says that those of the domain or of an MX host do not hold',
      (one) => one.domain === 'bogus' || hostsThatAre(one, 'bogus').length > 0,
    ),
    unsigned: info.when(
      'the domain is not signed, as most are not',
      ({ domain }) => domain === 'insecure',
    ),
    hosts_unsigned: info.when(
      'the domain is signed, and the name of an MX host is not',
      (one) => hostsThatAre(one, 'insecure').length > 0,
    ),
    signed: pass('the domain and its MX hosts are signed'),
  }),
  detail: (one, { names: { fromDomain } }) =>
    [[fromDomain, one.domain] as const, ...Object.entries(one.hosts)]
      .map(([name, signed]) => `${name} is ${IN_WORDS[signed]}`)
      .join('; ')
      .concat('.'),
  evidence: (one, { names: { fromDomain } }) => ({
    domain: fromDomain,
    dnssec: one.domain,
    hosts_bogus: hostsThatAre(one, 'bogus'),
    hosts_insecure: hostsThatAre(one, 'insecure'),
  }),
  fixes: {
    fix: {
      why: 'The DNSSEC signatures of {names} do not hold, so resolvers that check them find no records there.',
    },
  },
  values: (one, { names }) => ({ names: formatList(bogusNames(one, names.fromDomain)) }),
  steps: (one, { names }) => [
    askStep(
      `Compare the DS record of ${formatList(bogusNames(one, names.fromDomain))} at the registrar with the key that the DNS host shows, and see whether its signatures have expired. Ask the DNS host to sign the zone again, or the registrar to remove the DS record.`,
    ),
  ],
  cause: (one, { names }) => `dnssec:${bogusNames(one, names.fromDomain)[0] ?? ''}`,
});
