import type { Fields } from './fields/field.ts';

/** JSON Schema 2020-12, as data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

const isConst = (schema: JsonSchema) => 'const' in schema;
const isNull = ({ type }: JsonSchema) => type === 'null';

/** Where a path leads: members that are null or absent elsewhere do not change it. */
const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

/**
 * The schema as the OpenAPI shows it: sets of words as `enum`, null as a further type, a description
 * and an example for each field, its own or those of `fields`.
 */
export function documentSchema(schema: JsonSchema, fields: Fields = {}, path = ''): JsonSchema {
  const { $id: _id, description, examples, ...rest } = schema;
  const [said, example] = fields[path] ?? [];
  const shape = reshape(rest, fields, path);
  const samples = example === undefined ? (examples ?? defaultExamples(shape)) : [example];
  return {
    ...shape,
    ...((said ?? description) !== undefined && { description: said ?? description }),
    ...(samples !== undefined && { examples: samples }),
  };
}

function reshape(schema: JsonSchema, fields: Fields, path: string): JsonSchema {
  const { anyOf, properties, patternProperties, items, ...rest } = schema as {
    anyOf?: JsonSchema[];
    properties?: Record<string, JsonSchema>;
    patternProperties?: Record<string, JsonSchema>;
    items?: JsonSchema;
  };
  if (anyOf?.every(isConst)) return { ...rest, ...toEnum(anyOf) };
  if (anyOf?.some(isNull)) {
    const [other] = anyOf.filter((one) => !isNull(one));
    return { ...rest, ...orNull(documentSchema(other ?? {}, fields, path)) };
  }
  const [values] = Object.values(patternProperties ?? {});
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [
          name,
          documentSchema(property, fields, join(path, name)),
        ]),
      ),
    }),
    ...(values && { additionalProperties: documentSchema(values, fields, join(path, '*')) }),
    ...(items && { items: documentSchema(items, fields, `${path}[]`) }),
  };
}

function toEnum(anyOf: readonly JsonSchema[]): JsonSchema {
  const words = anyOf.map((one) => one.const);
  return { type: typeof words[0] === 'number' ? 'integer' : 'string', enum: words };
}

function orNull(schema: JsonSchema): JsonSchema {
  const words = schema.enum as unknown[] | undefined;
  return { ...schema, type: [schema.type, 'null'], ...(words && { enum: [...words, null] }) };
}

function defaultExamples(schema: JsonSchema): unknown[] | undefined {
  if (Array.isArray(schema.enum)) return [schema.enum[0]];
  if ([schema.type].flat().includes('boolean')) return [true];
  return undefined;
}

/** A value that fits a documented schema, put together from the examples of its parts. */
export function exampleOf(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  const { $ref, examples, properties, additionalProperties, items } = schema as {
    $ref?: string;
    examples?: unknown[];
    properties?: Record<string, JsonSchema>;
    additionalProperties?: JsonSchema;
    items?: JsonSchema;
  };
  if ($ref !== undefined)
    return exampleOf(components[$ref.split('/').at(-1) ?? ''] ?? {}, components);
  if (examples !== undefined) return examples[0];
  if (properties)
    return Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, exampleOf(one, components)]),
    );
  if (items) return [exampleOf(items, components)];
  if (typeof additionalProperties === 'object')
    return { name: exampleOf(additionalProperties, components) };
  return undefined;
}
