import type { SpfFacts } from '../authentication-facts.ts';
import { type Answer, isAbsent } from '../dns-answer.ts';
import { MAX_LOOKUPS, MAX_VOID_LOOKUPS, type SpfTerm } from './parse.ts';
import { type AskSpf, queryKey, type SpfAnswers, type SpfQuery } from './query.ts';

/** Where in the tree a record is read. */
export interface Place {
  /** Domains of the records above. */
  readonly path: readonly string[];
  /** A receiver comes here with this mail. */
  readonly isReached: boolean;
  /** Met before on the way down: a loop, of which only the lookups are counted. */
  readonly again: boolean;
  /** The sender's own term that leads here; null: the record is the sender's own. */
  readonly top: string | null;
  /** Its passes are passes of the whole. */
  readonly passing: boolean;
  /** Reached by a name that other mail of the domain may have another for. */
  readonly isOfSender: boolean;
  /** Reached by a name that may hold the local part. */
  readonly isSecret: boolean;
}

/** The record of the domain itself. */
export const START: Place = {
  path: [],
  isReached: true,
  again: false,
  top: null,
  passing: true,
  isOfSender: false,
  isSecret: false,
};

/** One term of the tree, with the lookups of all below it. */
export interface TreeEntry {
  readonly term: string;
  lookups: number;
  readonly depth: number;
}

const placeOf = ({ text }: SpfTerm, { top }: Place) => ({ term: text, top: top ?? text });

/** What the traversal of a tree notes on its way: what to ask, what it costs, what is at fault. */
export function createTally(answers: SpfAnswers) {
  const needed = new Map<string, SpfQuery>();
  const wanted = new Map<string, SpfQuery>();
  const voidQueries = new Set<string>();
  const tree: TreeEntry[] = [];
  const voidTerms: SpfFacts['voidTerms'][number][] = [];
  const brokenTerms: SpfFacts['brokenTerms'][number][] = [];
  const wideTerms: SpfFacts['wideTerms'][number][] = [];
  /** Of the receiver: up to where it comes. */
  const spent = { lookups: 0, voids: 0 };
  let error: string | null = null;
  let isSilent = false;

  const askAt =
    ({ isReached, isSecret }: Place): AskSpf =>
    (query) => {
      const key = queryKey(query);
      const answer = answers.get(key);
      if (answer === undefined && isReached) needed.set(key, query);
      else if (answer === undefined && !isSecret) wanted.set(key, query);
      if (isReached && query.type !== 'TXT' && isAbsent(answer)) voidQueries.add(key);
      return answer;
    };

  const exceed = (limit: string) => {
    error ??= `more than ${limit}`;
  };

  return {
    tree,
    askAt,
    exceed,

    /** As `askAt`; without an answer the counts are not known. */
    ask(at: Place, query: SpfQuery): Answer<unknown> | undefined {
      const answer = askAt(at)(query);
      // RFC 7208 §5.5: where a reverse name cannot be had, ptr does not match, and that is all.
      if (answer?.status === 'failed' && query.type !== 'PTR') isSilent = true;
      return answer;
    },

    /** Whether the receiver may look up so much more (RFC 7208 §4.6.4). */
    spend(lookups: number): boolean {
      spent.lookups += lookups;
      if (spent.lookups > MAX_LOOKUPS) exceed(`${MAX_LOOKUPS} lookups`);
      return spent.lookups <= MAX_LOOKUPS;
    },

    /** @param instead what means the same without a lookup */
    findNothing(term: SpfTerm, at: Place, instead: readonly string[] = []): void {
      if (at.isReached) {
        spent.voids += 1;
        if (spent.voids > MAX_VOID_LOOKUPS) exceed(`${MAX_VOID_LOOKUPS} void lookups`);
      }
      if (!at.again) voidTerms.push({ ...placeOf(term, at), isOfSender: at.isOfSender, instead });
    },

    breakAt(at: Place, { text }: SpfTerm, why: string, isLoop = false): void {
      if (at.again) return;
      const isOwn = at.top === null || at.top === text;
      brokenTerms.push({
        term: at.top ?? text,
        why: isOwn ? why : `${text}: ${why}`,
        isOfSender: at.isOfSender,
        ...(isLoop && { isLoop }),
      });
    },

    letInTooMany(at: Place, terms: readonly SpfTerm[]): void {
      if (at.passing && !at.again) wideTerms.push(...terms.map((term) => placeOf(term, at)));
    },

    /** A limit that the receiver ran into; null: none. */
    error: () => error,

    notes: () => ({
      needed: [...needed.values()],
      wanted: [...wanted.values()],
      isSilent,
      tree,
      voidTerms,
      voidQueries: voidQueries.size,
      brokenTerms,
      wideTerms,
    }),
  };
}
