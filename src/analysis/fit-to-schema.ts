/** As much of a JSON Schema as says how large a value may be. */
interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly maxLength?: number;
}

/** Limits below the schema's own, for a value that is too large as a whole. */
export interface Limits {
  /** Entries of one list. */
  readonly items: number;
  /** Characters of one text. */
  readonly characters: number;
}

/**
 * The value as large as its schema allows: lists and texts cut, unknown members left out, so that
 * nothing is shown that the schema does not name.
 *
 * @returns also the paths of what was cut, such as `authentication.spf.tree`
 */
export function fitToSchema(schema: object, value: unknown, limits?: Limits) {
  const cut = new Set<string>();
  return { value: fitAt(schema, value, '', { limits, cut }), cut: [...cut] };
}

interface Run {
  readonly limits: Limits | undefined;
  readonly cut: Set<string>;
}

function fitAt(schema: Schema, value: unknown, path: string, run: Run): unknown {
  const own = choose(schema, value);
  if (typeof value === 'string') return fitText(own, value, path, run);
  if (Array.isArray(value)) return fitList(own, value, path, run);
  if (typeof value === 'object' && value !== null) return fitObject(own, value, path, run);
  return value;
}

/** The branch of a union that a value belongs to: `nullable` is the only union of unlike types. */
function choose(schema: Schema, value: unknown): Schema {
  if (!schema.anyOf) return schema;
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const fitting = schema.anyOf.filter((one) => one.type === type);
  return fitting.length === 1 && fitting[0] ? fitting[0] : {};
}

function fitText({ maxLength }: Schema, text: string, path: string, { limits, cut }: Run): string {
  const most = Math.min(maxLength ?? text.length, limits?.characters ?? text.length);
  if (text.length <= most) return text;
  cut.add(path);
  return text.slice(0, most);
}

function fitList({ items, maxItems }: Schema, list: unknown[], path: string, run: Run): unknown[] {
  const most = Math.min(maxItems ?? list.length, run.limits?.items ?? list.length);
  if (list.length > most) run.cut.add(path);
  return list.slice(0, most).map((one) => fitAt(items ?? {}, one, path, run));
}

function fitObject(schema: Schema, value: object, path: string, run: Run): object {
  const { properties = {}, patternProperties } = schema;
  const any = Object.values(patternProperties ?? {})[0];
  const entries = Object.entries(value).flatMap(([key, member]) => {
    const of = Object.hasOwn(properties, key) ? properties[key] : any;
    if (!of || member === undefined) return [];
    return [[key, fitAt(of, member, any ? path : join(path, key), run)] as const];
  });
  const most = any ? Math.min(MAX_KEYS, run.limits?.items ?? MAX_KEYS) : entries.length;
  if (entries.length > most) run.cut.add(path);
  return Object.fromEntries(entries.slice(0, most));
}

/** Most keys of a record, as of a list. */
const MAX_KEYS = 100;

const join = (path: string, key: string) => (path === '' ? key : `${path}.${key}`);
