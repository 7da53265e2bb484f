import ipaddr from 'ipaddr.js';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { publicIp } from '../names/host-name.ts';
import { isSharedPool, poolTerm } from '../names/shared-pools.ts';
import {
  isMechanism,
  isQuerying,
  isValidTerm,
  lettersOf,
  parseSpf,
  parseTerm,
  type SpfTerm,
  specOf,
} from './parse.ts';

/** Whether a valid `ip4` or `ip6` term holds an address (RFC 7208 §5.6); mapped IPv4 is IPv4 (§5). */
export function holderOf(ip: string): (term: SpfTerm) => boolean {
  const sender = ipaddr.isValid(ip) ? ipaddr.process(ip) : undefined;
  const family = sender?.kind() === 'ipv6' ? 'ip6' : 'ip4';
  return ({ kind, name, value }) => {
    if (sender === undefined || kind !== 'mechanism' || name !== family) return false;
    const [address = '', bits = sender.toByteArray().length * 8] = value.split('/');
    return ipaddr.isValid(address) && sender.match(ipaddr.parse(address), Number(bits));
  };
}

/** The term that lists the sender: what a shared pool documents, never one of its addresses. */
export function termsFor(facts: Facts, present: readonly string[]): readonly string[] {
  const pool = poolNameOf(facts);
  if (pool !== undefined)
    return [poolTerm(pool) ?? []].flat().filter((term) => !present.includes(term));
  const ip = publicIp(facts.names.ip);
  return ip === null ? [] : [`${ip.includes(':') ? 'ip6' : 'ip4'}:${ip}`];
}

/** The confirmed name by which the sending IP belongs to a shared pool. */
const poolNameOf = ({ connection }: Facts): string | undefined =>
  ifKnown(connection.forward)?.confirmedNames.find(isSharedPool);

/** Why no term lists the sender; null: it is not known. */
export function whyNoTerm(facts: Facts): string | null {
  const pool = poolNameOf(facts);
  const { ip } = facts.names;
  if (pool !== undefined)
    return `Many senders share ${ip} (${pool}), so it is not added to your record. Ask the service that owns it which SPF term or return path its customers use.`;
  if (ip === null)
    return 'Find out which addresses your servers send from, and publish an SPF record that lists them.';
  return publicIp(ip) === null
    ? `${ip} is not a public address, so receivers see another one. Find out which, and add it to your record.`
    : null;
}

const QUOTES = /["“”„‟‘’‚‛«»`´]/g;

/** What typesetting makes of a hyphen and of a tilde, at the head of a term. */
const DASHES = /^[-\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]+/;
const TILDES = /^[~\u02dc\u223c\uff5e]+/;

/** Whether a term asks for the names of the sending IP. */
export const isReverse = (term: SpfTerm): boolean =>
  (isQuerying(term) || term.name === 'exp') &&
  (term.name === 'ptr' || lettersOf(specOf(term)).includes('p'));

/** A sign as it was intended, at the head of a text. */
export const plainSign = (text: string): string => text.replace(DASHES, '-').replace(TILDES, '~');

/**
 * What was most likely intended by a term: itself, another, several, or none (empty). It never lets in
 * more than what was written can mean: a mangled `all` closes the record, and what excludes stays so.
 */
export function correctTerm(text: string): string {
  const term = parseTerm(text);
  const several = splitTerms(term);
  if (several !== null) return several;
  if (!isValidTerm(term)) return withoutOpenEnd(guessIntended(term));
  // RFC 7208 §5.5, §7.3: ptr SHOULD NOT be published, and no %{p}.
  if (term.name === 'ptr') return '';
  if (isReverse(term)) return '';
  // RFC 7208 §6: with = for : it is a modifier nobody knows, and is ignored.
  if (term.kind !== 'modifier' || !isMechanism(term.name)) return text;
  const live = text.replace('=', ':');
  return isValid(live) ? live : '';
}

/**
 * Several terms in one, such as `include:a.example,include:b.example`, which the grammar allows as the
 * name of one; null: it is one. A list of values takes the mechanism of the first.
 */
function splitTerms({ text, name, value }: SpfTerm): string | null {
  const pieces = text.split(/[,;]+/).filter((piece) => piece !== '');
  if (pieces.length < 2 || value.includes('%') || !LISTED.has(name)) return null;
  const head = text.slice(0, text.indexOf(value));
  const all = pieces.map((piece) => {
    if (isValid(piece)) return piece;
    return isValid(head + piece) ? head + piece : correctPiece(piece);
  });
  return all.every((piece) => piece !== '') ? all.join(' ') : null;
}

/** Mechanisms whose value people list. */
const LISTED = new Set(['include', 'a', 'mx', 'ip4', 'ip6', 'exists']);

const withoutOpenEnd = (text: string): string => text.replace(/(?<=^|\s)\+?all(?=\s|$)/gi, '~all');

function guessIntended(term: SpfTerm): string {
  const plain = plainSign(term.text.replace(QUOTES, ''));
  const ascii = plain.replace(/[^\x21-\x7e]+/g, ' ').trim();
  const pieces = ascii.split(/[\s,;]+/).filter((piece) => piece !== '');
  const glued = /^(.+?)[-~?]all$/i.exec(ascii)?.[1];
  const guesses = [
    plain,
    ascii,
    ...guessAll(ascii),
    ...(pieces.length > 1 ? [pieces.map(correctPiece).join(' ').trim()] : []),
    ...(glued ? [`${correctPiece(glued)} ${ascii.slice(glued.length)}`.trim()] : []),
    ...guessTerm(term),
  ];
  return guesses.find(isValid) ?? '';
}

/** One of several terms that were written as one. */
const correctPiece = (text: string): string =>
  [text, ...guessAll(text), ...guessTerm(parseTerm(text))].find(isValid) ?? '';

const guessTerm = (term: SpfTerm): readonly string[] => [
  ...(term.kind === 'unknown' ? guessName(term) : []),
  ...(term.name === 'ip4' || term.name === 'ip6' ? guessNetwork(term) : guessDomain(term)),
];

const isValid = (text: string): boolean => {
  const terms = parseSpf(`v=spf1 ${text}`);
  return terms.length > 0 && terms.every(isValidTerm);
};

/** `-al`, `-all.`, `all` with a sign that nobody knows, which closes the record softly. */
function guessAll(text: string): string[] {
  const sign = /^([^a-z0-9]*)al+(?:[^a-z0-9].*)?$/i.exec(text)?.[1];
  if (sign === undefined) return [];
  return [`${/^[-~?]$/.test(sign) ? sign : '~'}all`];
}

const SIGN = /^[+\-~?]/;
const signOf = (text: string) => SIGN.exec(text)?.[0] ?? '';
const familyOf = (value: string) => (value.includes(':') ? 'ip6' : 'ip4');

function guessName({ text, name, value }: SpfTerm): string[] {
  const sign = signOf(text);
  const address = text.replace(SIGN, '');
  return [
    ...(/^ip(v?[46])?$/.test(name) ? [`${sign}${familyOf(value)}:${value}`] : []),
    ...(/^(?:inc|inl)[a-z]*$/.test(name) ? [`${sign}include:${value}`] : []),
    ...(isMechanism(name) ? [text.replace('=', ':')] : []),
    ...(/^(?:redirect|exp)$/.test(name) ? [text.replace(':', '=')] : []),
    ...(/^host(?:name)?$/.test(name) ? [`${sign}a:${value}`] : []),
    `${sign}${familyOf(address)}:${address}`,
  ];
}

/** The other family, with the prefix length that was intended, or without what can be none. */
const guessNetwork = ({ text, value }: SpfTerm): string[] => [
  ...guessPrefix(text),
  text.replace(/(\.\d{1,3})\.\*$/, '$1.0/24').replace(/(\.\d{1,3})\.\*\.\*$/, '$1.0.0/16'),
  text.replace(/\/.*$/s, ''),
  text.replace(/ip[46]:/i, `${familyOf(value)}:`),
  // A host name where an address belongs.
  ...(/[g-z]/i.test(value) ? [`${signOf(text)}a:${value}`] : []),
];

/**
 * `/255.255.255.0` is a mask. Of a length with a digit too many the first digits are taken where the
 * address is that of a network: what was listed must not become one address.
 */
function guessPrefix(text: string): string[] {
  const [, network = '', length = ''] = /^(.*)\/([\d.]+)$/s.exec(text) ?? [];
  if (length.includes('.')) {
    const bits = length.split('.').map((octet) => Number(octet).toString(2).padStart(8, '0'));
    const ones = /^(1*)0*$/.exec(bits.join(''))?.[1];
    return bits.length === 4 && ones !== undefined ? [`${network}/${ones.length}`] : [];
  }
  return /^\d{3}$/.test(length) && /\.0$/.test(network) ? [`${network}/${length.slice(0, 2)}`] : [];
}

/** An address where a name belongs; a URL or a port; a prefix length that is not valid. */
function guessDomain({ text, kind, name, value }: SpfTerm): string[] {
  const head = `${signOf(text)}${name}`;
  const bare = value.replace(/^[a-z]+:\/\//i, '').replace(/^[^@]*@/, '');
  const hosts = [bare.replace(/\/.*$/s, ''), bare.replace(/[/:].*$/s, '')];
  const named = hosts
    .map(withoutEnding)
    .map((host) => (host === '' ? head : `${head}${kind === 'modifier' ? '=' : ':'}${host}`));
  return [`${signOf(text)}${familyOf(bare)}:${bare}`, ...named];
}

/** Without the marks of a sentence. By hand: a pattern would go over each run of dots again. */
function withoutEnding(host: string): string {
  let end = host.length;
  while (/[.,;]/.test(host[end - 1] ?? '')) end -= 1;
  return host.slice(0, end);
}
