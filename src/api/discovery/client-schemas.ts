/** Shortens the schemas for the OpenAPI document, and names those to which it refers. */

import { MAX_ITEMS } from '../../domain/report/shapes.ts';

interface Schema {
  readonly $id?: string;
  readonly title?: unknown;
  readonly type?: unknown;
  readonly items?: unknown;
  readonly description?: unknown;
}

/**
 * A description such as "The SPF record.", which only repeats the name of the member. The report's own schema
 * has all descriptions.
 */
const SHORT = /^\S+( [\w'-]+){0,2}\.$/;

/** Our own limits on the length of lists and texts, which only the report's own schema states. */
const isOwnLimit = (key: string, value: unknown) =>
  key === 'maxLength' || (key === 'maxItems' && Number(value) >= MAX_ITEMS);

/**
 * Returns whether a client has no use for a keyword: examples of fields, because whole responses have
 * examples; the pattern of a string with a format; descriptions that only repeat a name; and our own limits.
 * Every bound that the specification states stays.
 */
const isLeftOut = (key: string, value: unknown, owner: object) =>
  key === 'examples' ||
  isOwnLimit(key, value) ||
  (key === 'pattern' && 'format' in owner) ||
  (key === 'description' && SHORT.test(String(value)));

/** A schema that has a title gets a place of its own, unless its value may also be null. */
const nameOf = (key: string, { title, type }: Schema) =>
  key !== 'properties' && type === 'object' && typeof title === 'string' ? title : undefined;

/**
 * Returns the schemas in the form that the OpenAPI document uses: short, and with a reference to each that
 * has a title, so that it appears once and clients have one type for it.
 */
export function clientSchemas(components: readonly Schema[]): Record<string, object> {
  const schemas: Record<string, object> = {};

  function add(name: string, schema: object): void {
    if (name in schemas) return;
    // The place is reserved now, so that the schemas to which this one refers come after it.
    schemas[name] = {};
    const text = JSON.stringify(schema, function forClients(this: object, key, value) {
      if (isLeftOut(key, value, this)) return undefined;
      if (typeof value !== 'object' || value === null) return value;
      const entry: Schema = value;
      const title = nameOf(key, entry);
      if (title !== undefined) {
        const { title: _, ...named } = entry;
        add(title, named);
        return { $ref: `${title}#` };
      }
      if (key !== 'items') return value;
      // The list itself has a description.
      const { description: _, ...item } = entry;
      return item;
    });
    schemas[name] = JSON.parse(text);
  }

  for (const { $id = '', ...schema } of components) add($id, schema);
  return schemas;
}
