/** The words of a list that is written as one text. */
export const splitWords = (text: string): readonly string[] => text.split(' ');

export const wordSet = (text: string): ReadonlySet<string> => new Set(splitWords(text));
