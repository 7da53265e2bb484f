import { type Answer, textsOf } from '../dns-answer.ts';
import { isValidTerm } from './grammar.ts';
import { lettersOf, tailOf } from './macro.ts';
import {
  isQuerying,
  isSpfRecord,
  MAX_TERMS,
  parseSpf,
  readTerms,
  type SpfTerm,
  specOf,
} from './parse.ts';

/** A term that a receiver comes to. */
export interface ReadTerm extends SpfTerm {
  readonly asks: boolean;
  readonly isValid: boolean;
  /** The part of the domain-spec that its name is made of. */
  readonly spec: string;
  /** Macro letters of the domain-spec, in lower case. */
  readonly letters: readonly string[];
}

/** One record of SPF, as the walk through its tree reads it. */
export interface SpfReading {
  readonly terms: readonly ReadTerm[];
  /** The first term that breaks the grammar. */
  readonly fault: string | undefined;
  /** It was read to its end. */
  readonly isWhole: boolean;
}

const readings = new WeakMap<object, readonly SpfReading[]>();

/** The records of an answer. Of one answer they are read once, however often the walk comes to it. */
export function readSpfRecords(
  answer: Answer<readonly string[]> | undefined,
): readonly SpfReading[] {
  if (answer === undefined) return [];
  const read = readings.get(answer) ?? textsOf(answer).filter(isSpfRecord).map(readRecord);
  readings.set(answer, read);
  return read;
}

function readRecord(record: string): SpfReading {
  const terms = parseSpf(record);
  return {
    terms: readTerms(terms).map(readTerm),
    fault: terms.find((term) => !isValidTerm(term))?.text,
    isWhole: terms.length < MAX_TERMS,
  };
}

function readTerm(term: SpfTerm): ReadTerm {
  const asks = isQuerying(term);
  const spec = asks ? specOf(term) : '';
  return {
    ...term,
    asks,
    isValid: isValidTerm(term),
    spec: tailOf(spec),
    letters: lettersOf(spec),
  };
}
