/** Helpers for word lists, comments in header values, and characters that change the direction of text. */

/** Returns the words of a list that is written as one string. */
export const splitWords = (text: string): readonly string[] => text.split(' ');

export const wordSet = (text: string): ReadonlySet<string> => new Set(splitWords(text));

/**
 * Removes the comments of a structured value (RFC 5322 §3.2.2), which may nest. Quoted strings are kept. If a
 * comment never closes, the value is returned unchanged, and fails to parse.
 */
export const withoutComments = (text: string): string => {
  if (!text.includes('(')) return text;
  const out: string[] = [];
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (char === '\\') {
      if (depth === 0) out.push(char, text[i + 1] ?? '');
      i++;
    } else if (quoted || (char === '"' && depth === 0)) {
      if (char === '"') quoted = !quoted;
      out.push(char);
    } else if (char === '(') depth++;
    else if (char === ')' && depth > 0) depth--;
    else if (depth === 0) out.push(char);
  }
  return depth === 0 ? out.join('') : text;
};

// Matches embeddings, overrides and isolates, which change the order in which text is displayed (UAX #9).
export const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;
