/** Declares the types of the texts on pages. */

import texts from './strings.json' with { type: 'json' };

export type StringKey = keyof typeof texts;

/** Returns a text of the pages with its values filled in. */
export type Translate = (
  key: StringKey,
  values?: Readonly<Record<string, string | number>>,
) => string;

export { texts };
