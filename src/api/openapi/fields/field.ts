/**
 * What the OpenAPI says of fields, by their path: `a.b` a member, `a[]` an item, `a.*` a value of a
 * map. The example may be left out of objects, of lists of objects, of words (the first stands) and
 * of booleans (`true`).
 */
export type Fields = Readonly<Record<string, readonly [description: string, example?: unknown]>>;
