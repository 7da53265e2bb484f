import { MAX_ITEMS } from '../../domain/report/shapes.ts';

interface Schema {
  readonly $id?: string;
  readonly title?: unknown;
  readonly type?: unknown;
  readonly items?: unknown;
  readonly description?: unknown;
}

/** Such as "The SPF record.": the name of the member shows it. The report's own schema has all. */
const SHORT = /^\S+( [\w'-]+){0,2}\.$/;

/** Our own limits on the length of lists and texts. Only the report's own schema states them. */
const isOwnLimit = (key: string, value: unknown) =>
  key === 'maxLength' || (key === 'maxItems' && Number(value) >= MAX_ITEMS);

/**
 * What a client has no use for: examples of fields, because whole responses have examples, the
 * pattern of a string that has a format, descriptions that only repeat a name, and our own limits.
 * Every bound that the specification states stays.
 */
const isLeftOut = (key: string, value: unknown, owner: object) =>
  key === 'examples' ||
  isOwnLimit(key, value) ||
  (key === 'pattern' && 'format' in owner) ||
  (key === 'description' && SHORT.test(String(value)));

/** A schema that stands alone under its title. One that may be null as well does not. */
const nameOf = (key: string, { title, type }: Schema) =>
  key !== 'properties' && type === 'object' && typeof title === 'string' ? title : undefined;

/**
 * The schemas as the OpenAPI document has them: short, and what has a title is referred to, so that
 * it stands there once and clients have one type of it.
 */
export function clientSchemas(components: readonly Schema[]): Record<string, object> {
  const schemas: Record<string, object> = {};

  function add(name: string, schema: object): void {
    if (name in schemas) return;
    // Its place is kept, so that what it refers to comes after it.
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
      // The list is explained.
      const { description: _, ...item } = entry;
      return item;
    });
    schemas[name] = JSON.parse(text);
  }

  for (const { $id = '', ...schema } of components) add($id, schema);
  return schemas;
}
