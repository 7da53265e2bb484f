/** As much of a JSON Schema as says how large a value may be. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Of a record: what each of its values is. */
  readonly additionalProperties?: Schema;
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
  if (typeof value === 'string') return fitText(schema, value, path, run);
  if (Array.isArray(value)) return fitList(schema, value, path, run);
  if (typeof value === 'object' && value !== null) return fitObject(schema, value, path, run);
  return value;
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
  const { properties = {}, additionalProperties: any } = schema;
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
