/**
 * Shortens the schemas for the OpenAPI document, and lists each schema with a title once, so that others
 * refer to it by name.
 */

import { MAX_ITEMS } from '../../domain/report/shapes.ts';

interface Schema {
  readonly $id?: string;
  readonly title?: unknown;
  readonly type?: unknown;
  readonly items?: unknown;
  readonly description?: unknown;
}

/**
 * Matches a description such as "The SPF record.", which only repeats the name of the member. The report's
 * own schema keeps these descriptions.
 */
const SHORT = /^\S+( [\w'-]+){0,2}\.$/;

/**
 * Returns whether a keyword is one of our own limits on the length of lists and texts, which only the
 * report's own schema states.
 */
const isOwnLimit = (key: string, value: unknown) =>
  key === 'maxLength' || (key === 'maxItems' && Number(value) >= MAX_ITEMS);

/**
 * Returns whether clients have no use for a keyword: an example of a single field (whole responses have
 * examples), the pattern of a string that has a format, a description that only repeats a name, or one of our
 * own limits. Every bound that the specification states is kept.
 */
const isLeftOut = (key: string, value: unknown, owner: object) =>
  key === 'examples' ||
  isOwnLimit(key, value) ||
  (key === 'pattern' && 'format' in owner) ||
  (key === 'description' && SHORT.test(String(value)));

/**
 * Returns the name under which a schema is listed separately: its title, unless the value may also be null.
 */
const nameOf = (key: string, { title, type }: Schema) =>
  key !== 'properties' && type === 'object' && typeof title === 'string' ? title : undefined;

/**
 * Returns the schemas in the form that the OpenAPI document uses: shortened, and with references to schemas
 * that have a title, so that each appears once and clients generate one type for it.
 */
export function clientSchemas(components: readonly Schema[]): Record<string, object> {
  const schemas: Record<string, object> = {};

  function add(name: string, schema: object): void {
    if (name in schemas) return;
    // The name is reserved before its schema is built, so that the schemas to which it refers come after it.
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
      // The description of an item is dropped, because the list itself has one.
      const { description: _, ...item } = entry;
      return item;
    });
    schemas[name] = JSON.parse(text);
  }

  for (const { $id = '', ...schema } of components) add($id, schema);
  return schemas;
}
