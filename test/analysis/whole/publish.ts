import type { ZoneRecords } from '../../environment/dns-zone.ts';
import type { Case, Names } from './case.ts';
import { policy, zoneWith } from './zone.ts';

export type Situation = Omit<Case, 'about' | 'states'>;

export const recordsAt = ({ zone }: Situation, name: string): ZoneRecords => {
  const held = zoneWith(zone)[name];
  return typeof held === 'object' && held.CNAME === undefined ? held : {};
};

/** Whether a name is an alias, beside which no record can stand. */
export const isAlias = ({ zone }: Situation, name: string): boolean => {
  const held = zoneWith(zone)[name];
  return typeof held === 'object' && held.CNAME !== undefined;
};

/** Records of some types put at a name, in place of those there; DNS knows no case. */
export const publish = (one: Situation, at: string, records: ZoneRecords): Situation => {
  const name = at.toLowerCase();
  return {
    ...one,
    zone: { ...one.zone, [name]: { ...recordsAt(one, name), ...records } } as Names,
  };
};

/** A TXT takes the place of its kind: of all at the name, or of SPF records beside others. */
export function publishText(one: Situation, name: string, record: string): Situation {
  const isSpf = (text: string) => /^"?v=spf1/i.test(text);
  const others = (recordsAt(one, name).TXT ?? []).filter(
    (text) => isSpf(record) && !isSpf([text].flat().join('')),
  );
  return publish(one, name, { TXT: [...others, record] });
}

export const reverseName = (ip: string) => `${ip.split('.').reverse().join('.')}.in-addr.arpa`;

type Step = (one: Situation, first: string, second: string) => Situation;

/** How fixes print what is to be published, and how it is. */
const PRINTED: readonly (readonly [form: RegExp, step: Step])[] = [
  [/TXT (?:at )?([^\s":]+):? "(v=[^"]+)"/g, publishText],
  [/MX (\S+) (\d+ [^\s,)]*[^\s,.)])/g, (one, name, host) => publish(one, name, { MX: [host] })],
  [/\bA (\S+) (\d+\.\d+\.\d+\.\d+)/g, (one, name, ip) => publish(one, name, { A: [ip] })],
  [
    /PTR (\S+) to ([^\s,]*[^\s,.])/g,
    (one, ip, name) => publish(one, reverseName(ip), { PTR: [name] }),
  ],
  [/smtp_helo_name = ([^\s)]+)()\)/g, (one, helo) => ({ ...one, client: { ...one.client, helo } })],
  [
    /myorigin = ([^\s;)]+)()/g,
    (one, domain) => ({ ...one, from: { localPart: 'bounce', domain, smtputf8: false } }),
  ],
  [/type SPF \(99\) at ([^\s;]+)()/g, (one, name) => publish(one, name, { SPF: [] })],
  [
    /serve https:\/\/([^\s/]+)(\/\S+mta-sts\.txt)/gi,
    (one, host) => publish(one, host, { A: ['192.0.2.81'] }),
  ],
];

/** The lines of a policy that a fix prints, at the URL that it prints. */
function servePolicy(one: Situation, fix: string): Situation {
  const url = /https:\/\/(\S+mta-sts\.txt)/.exec(fix)?.[1];
  const lines = [...fix.matchAll(/"((?:mode|mx|max_age): [^"]+)"/g)].map(([, line = '']) => line);
  return url && lines.length > 0 ? { ...one, web: { ...one.web, [url]: policy(...lines) } } : one;
}

const ALIAS = /(\S+) is an alias \(CNAME\) of (\S+):/g;

/**
 * Does what a fix says of DNS, HELO and the policy file; of an alias, at its end. The same object: it
 * says nothing of them.
 */
export function publishAll(one: Situation, fix: string): Situation {
  const aliases = new Map([...fix.matchAll(ALIAS)].map(([, name = '', end = '']) => [name, end]));
  return PRINTED.reduce(
    (after, [form, step]) =>
      [...fix.matchAll(form)].reduce(
        (left, [, first = '', second = '']) => step(left, aliases.get(first) ?? first, second),
        after,
      ),
    servePolicy(one, fix),
  );
}
