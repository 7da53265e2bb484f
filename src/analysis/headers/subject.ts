/** Reads the Subject field and its faults, such as capitals or a false reply prefix. */

import { decodeWords } from '../syntax/encoded-words.ts';
import { fieldsNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { FORWARD, REPLY } from '../syntax/reply-prefixes.ts';
import type { FieldFacts } from './facts.ts';

interface SubjectReading {
  readonly facts: FieldFacts['subject'];
  /** The decoded subject, which never leaves the code that reads the email. */
  readonly text: string;
}

const URL_IN_IT = /\bhttps?:\/\/\S/i;

/** Minimum number of capitals that reads as shouting. A shorter run can be an abbreviation. */
export const MIN_CAPITALS = 10;

const isAllCapitals = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu) ?? [];
  const capitals = text.match(/\p{Lu}/gu) ?? [];
  // Letters of scripts without case are not capitals, so they do not count as shouting.
  return capitals.length >= MIN_CAPITALS && capitals.length === letters.length;
};

/** Reads the Subject field as a mail client would show it. */
export const readSubject = (block: HeaderBlock): SubjectReading => {
  const field = fieldsNamed(block, 'subject')[0];
  const { text } = decodeWords(field?.value ?? '');
  const plain = text.trim();
  const answers =
    fieldsNamed(block, 'in-reply-to').length > 0 || fieldsNamed(block, 'references').length > 0;
  return {
    text,
    facts: {
      state: field === undefined ? 'missing' : plain === '' ? 'empty' : 'ok',
      length: [...plain].length,
      allCapitals: isAllCapitals(plain),
      exclamations: plain.match(/[!！]/g)?.length ?? 0,
      falseReply: !answers && REPLY.test(plain),
      isForward: !answers && FORWARD.test(plain),
      url: URL_IN_IT.test(plain),
      edgeSpaces: plain !== '' && (text !== plain || (field?.edgeSpaces ?? false)),
    },
  };
};
