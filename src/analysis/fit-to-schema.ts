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
 * @returns the value itself when nothing was cut; also the paths of what was, such as
 *   `authentication.spf.tree`
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
  const kept = list.length > most ? list.slice(0, most) : list;
  let fitted = kept;
  for (const [at, one] of kept.entries()) {
    const value = fitAt(items ?? NOTHING, one, path, run);
    if (value === one) continue;
    if (fitted === list) fitted = [...kept];
    fitted[at] = value;
  }
  return fitted;
}

const NOTHING: Schema = {};

function fitObject(schema: Schema, value: object, path: string, run: Run): object {
  const { properties = {}, additionalProperties: any } = schema;
  const entries: [string, unknown][] = [];
  let isWhole = true;
  for (const [key, member] of Object.entries(value)) {
    const of = Object.hasOwn(properties, key) ? properties[key] : any;
    const fitted =
      of && member !== undefined && fitAt(of, member, any ? path : join(path, key), run);
    isWhole &&= of !== undefined && member !== undefined && fitted === member;
    if (of && member !== undefined) entries.push([key, fitted]);
  }
  const most = any ? Math.min(MAX_KEYS, run.limits?.items ?? MAX_KEYS) : entries.length;
  if (entries.length > most) run.cut.add(path);
  else if (isWhole) return value;
  return Object.fromEntries(entries.slice(0, most));
}

/** Most keys of a record, as of a list. */
const MAX_KEYS = 100;

const join = (path: string, key: string) => (path === '' ? key : `${path}.${key}`);
