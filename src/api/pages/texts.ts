/** Loads the texts of the pages, and declares their keys and the function that fills in their values. */

import texts from './strings.json' with { type: 'json' };

export type StringKey = keyof typeof texts;

/** Returns a text of the pages with its placeholders filled in. */
export type Translate = (
  key: StringKey,
  values?: Readonly<Record<string, string | number>>,
) => string;

export { texts };
