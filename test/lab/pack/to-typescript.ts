/** Converts a JSON schema to TypeScript types. */

/** The members of a JSON schema that the report's schema uses. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly description?: string;
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

/**
 * Returns a schema as a TypeScript type, with its descriptions as comments. @throws for anything that it does
 * not know
 */
export function toTypeScript(schema: Schema, indent = ''): string {
  const { anyOf, items, properties } = schema;
  if (schema.type === 'null') return 'null';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => toTypeScript({ ...schema, type }, indent)).join(' | ');
  // A scalar may also have `anyOf` with alternative formats, which TypeScript cannot express.
  if (SCALARS.has(String(schema.type))) return String(schema.type);
  if (anyOf) return [...new Set(anyOf.map((one) => toTypeScript(one, indent)))].join(' | ');
  if (schema.type === 'array') return `ReadonlyArray<${toTypeScript(items ?? {}, indent)}>`;
  if (properties) return toObject(schema, indent);
  if (schema.type === 'object') return `Readonly<Record<string, ${toMember(schema, indent)}>>`;
  if (schema.type === 'integer') return 'number';
  if (schema.type === undefined) return 'unknown';
  throw new Error(`no type for ${JSON.stringify(schema)}`);
}

function toMember({ patternProperties, additionalProperties }: Schema, indent: string): string {
  const [value] = Object.values(patternProperties ?? {});
  const other = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return toTypeScript(value ?? other ?? {}, indent);
}

function toObject({ properties = {}, required = [] }: Schema, indent: string): string {
  const inside = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([name, schema]) => {
    const type = toTypeScript(schema, inside);
    const comment = schema.description?.replaceAll('*/', '* /');
    return [
      ...(comment ? [`${inside}/** ${comment} */`] : []),
      `${inside}readonly ${name}${required.includes(name) ? '' : '?'}: ${type};`,
    ];
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}
