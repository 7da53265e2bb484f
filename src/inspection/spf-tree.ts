/**
 * Walks the tree of an SPF record through its includes and redirects, and collects its lookups, its faults,
 * and how it ends, in the worst case for any email of the domain.
 */

import { isAbsent, textsOf } from '../analysis/dns-answer.ts';
import { sameOrganization } from '../analysis/names/domain-names.ts';
import { reverseName } from '../analysis/names/host-name.ts';
import { looksLikeSpf } from '../analysis/spf/correct.ts';
import {
  isSpfRecord,
  isTargetName,
  isValidTerm,
  lettersOf,
  type SpfTerm,
  specOf,
} from '../analysis/spf/parse.ts';
import type { DnsAnswer, RecordType } from '../ports/dns.ts';
import {
  type Below,
  broken,
  isAgain,
  join,
  NONE,
  note,
  OF_SENDER,
  ofText,
  ownFaultAt,
  type SpfPosition,
  UNKNOWN,
} from './spf-below.ts';
import { expandSpec, FINDS_NOTHING, findFault, type SpfAbout } from './spf-target.ts';
import { yieldFor } from './yield.ts';

/** Maximum number of levels of `include:` and `redirect=` that are followed. Deeper records are not read. */
const MAX_DEPTH = 10;

/**
 * Maximum number of terms shown. A loop is not followed any further, because it is already far over the limit
 * of ten lookups.
 */
const MAX_TREE = 100;

/**
 * Maximum number of queries below the domain itself. A tree that needs more is far over the limit of ten
 * lookups.
 */
const MAX_ASKED = 60;

/** Macros that contain the sender's local part, which nobody else may see (RFC 7208 §7.2). */
const SECRET = /[sl]/;

export interface SpfTree extends Below {
  /** True if every query for the tree was answered. */
  readonly isComplete: boolean;
}

const isLink = ({ name }: SpfTerm): boolean => name === 'include' || name === 'redirect';

/**
 * Walks the whole tree of a record. The engine stops at the first match, so it does not show what the record
 * costs for other email.
 *
 * @param reached the engine's lookups, each as `type name`. Of the names that contain the local part, only
 * these are looked up.
 */
export async function walkSpf(
  about: SpfAbout,
  reached: Promise<ReadonlySet<string>>,
): Promise<SpfTree> {
  const { sender } = about;
  const reverse = reverseName(sender.ip);
  let isComplete = true;
  const asked = new Set<string>();
  let terms = 0;
  let turn = Promise.resolve();
  const start: SpfPosition = {
    ...{ path: [sender.domain], records: [], top: null, passing: true, letters: '' },
    own: { name: sender.domain, top: null },
  };

  async function ask(at: SpfPosition, name: string, type: RecordType) {
    const key = `${type} ${name}`;
    const isSecret = SECRET.test(at.letters);
    if (isSecret && !(await reached).has(key)) return undefined;
    if (!isSecret && asked.size > MAX_ASKED && !asked.has(key)) {
      isComplete = false;
      return undefined;
    }
    asked.add(key);
    const answer = await about.ask(name, type);
    // If a reverse name cannot be looked up, a `ptr` term simply does not match (RFC 7208 §5.5).
    if (answer.status === 'failed' && type !== 'PTR') isComplete = false;
    return answer;
  }

  async function recordsAt(at: SpfPosition, name: string) {
    const answer = (await ask(at, name, 'TXT')) as DnsAnswer<readonly string[]> | undefined;
    return { answer, records: textsOf(answer).filter(isSpfRecord) };
  }

  /**
   * Reads long records one per turn of the event loop, because the records of a whole level arrive at once.
   */
  async function read(record: string) {
    turn = turn.then(() => yieldFor([record]));
    await turn;
    return about.read(record);
  }

  async function visit(record: string, at: SpfPosition): Promise<Below> {
    const { asking, all, wide, isWhole } = await read(record);
    if (terms > MAX_TREE) return UNKNOWN;
    terms += asking.length;
    const below = join(await Promise.all(asking.map((term) => follow(term, at))));
    const wideTerms = at.passing && !isAgain(at) ? wide : [];
    const end = asking.at(-1)?.name === 'redirect' ? below.effectiveAll : null;
    return {
      ...below,
      wideTerms: [
        ...wideTerms.map(({ text }) => ({ term: text, top: at.top ?? text })),
        ...below.wideTerms,
      ],
      ownFaults: [
        ...wideTerms.flatMap(({ text }) =>
          ownFaultAt(at, { wide: [{ term: text, top: at.own.top ?? text }] }),
        ),
        ...below.ownFaults,
      ],
      effectiveAll: all ?? (isWhole ? end : 'unknown'),
    };
  }

  /** Follows a term that needs a lookup, and everything it leads to. */
  async function follow(term: SpfTerm, from: SpfPosition): Promise<Below> {
    const letters = lettersOf(specOf(term)).join('');
    const at = { ...from, top: from.top ?? term.text, letters: from.letters + letters };
    // A `%{p}` macro needs an additional lookup for its names, which may be void (RFC 7208 §4.6.4).
    const names = letters.includes('p') ? reverse : null;
    const isNameless = names !== null && isAbsent(await ask(start, names, 'PTR'));
    const below = join([note(term, at, isNameless ? FINDS_NOTHING : null), await lookUp(term, at)]);
    const lookups = (names === null ? 1 : 2) + below.lookups;
    const entry = { term: term.text, lookups, depth: at.path.length - 1 };
    return { ...below, lookups, tree: [entry, ...below.tree] };
  }

  async function lookUp(term: SpfTerm, at: SpfPosition): Promise<Below> {
    if (!isValidTerm(term) || (isAgain(at) && !isLink(term))) return UNKNOWN;
    const domain = at.path.at(-1) ?? '';
    const target = await expandSpec(about, specOf(term) || domain, domain);
    if (!isLink(term)) {
      if (target === null) return NONE;
      const isOwn = at.own.top === null && !OF_SENDER.test(at.letters);
      const askHere = (name: string, type: RecordType) => ask(at, name, type);
      return note(term, at, await findFault(term, target, sender.ip, isOwn, askHere));
    }
    if (target !== null) return descend(term, target, at);
    // A term whose name contains a local part outside ASCII does not match (RFC 8616 §4).
    const isForeign = SECRET.test(at.letters) && /[^\x20-\x7e]/.test(sender.localPart);
    return isForeign
      ? UNKNOWN
      : note(term, at, broken('absent', 'it does not produce a domain name'));
  }

  async function descend(term: SpfTerm, target: string, at: SpfPosition): Promise<Below> {
    if (at.path.length > MAX_DEPTH) return UNKNOWN;
    const { answer, records } = await recordsAt(at, target);
    if (answer === undefined || answer.status === 'failed') return UNKNOWN;
    const shown = SECRET.test(at.letters) ? 'a name with the local part' : target;
    const name = answer.cnames.at(-1) ?? target;
    const isOwn =
      at.own.top === null &&
      !isAgain(at) &&
      !OF_SENDER.test(at.letters) &&
      name !== sender.domain &&
      sameOrganization(name, sender.domain);
    const own = isOwn ? { name, top: null } : { ...at.own, top: at.own.top ?? term.text };
    /** Notes an error in the record that the term names. It is corrected there if the record is the sender's. */
    const noteFaulty = (why: string): Below => ({
      ...note(term, at, broken('faulty', why)),
      ...(isOwn && { ownFaults: [ofText(name)] }),
    });
    const [record, ...more] = records;
    // Unless a target has exactly one SPF record, the whole result is a permerror (RFC 7208 §5.2, §6.1).
    if (record === undefined || more.length > 0) {
      const why = `${records.length || 'no'} SPF records at ${shown}`;
      const isThere = records.length > 0 || (isOwn && textsOf(answer).some(looksLikeSpf));
      return join([
        note(term, at, isAbsent(answer) ? FINDS_NOTHING : null),
        isThere ? noteFaulty(why) : note(term, at, broken('absent', why)),
      ]);
    }
    const isLoop = at.path.includes(target) || at.records.includes(record);
    const { fault } = await read(record);
    const below = await visit(record, {
      ...at,
      path: [...at.path, target],
      records: [...at.records, record],
      own,
      passing: at.passing && term.qualifier === '+',
    });
    // A loop never reaches an end that excludes other servers.
    if (isLoop)
      return {
        ...join([
          note(term, at, broken('loop', `it leads back to ${shown}, where it came from`)),
          below,
        ]),
        effectiveAll: null,
      };
    return fault === undefined
      ? below
      : join([noteFaulty(`"${fault}" in the record of ${shown}`), below]);
  }

  // A domain that is not a valid name has no record (RFC 7208 §4.3).
  const { records } = isTargetName(sender.domain)
    ? await recordsAt(start, sender.domain)
    : { records: [] };
  const [record, ...more] = records;
  const isOne = record !== undefined && more.length === 0;
  const whole = isOne ? await visit(record, { ...start, records: [record] }) : NONE;
  return { ...whole, isComplete };
}
