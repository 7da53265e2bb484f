/** As much of a JSON Schema as says how large a value may be. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Of a record: what each of its values is. */
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly maxLength?: number;
}

/** The same, with every member there: read some thousand times a report. */
interface Size {
  readonly members: ReadonlyMap<string, Size>;
  readonly others: Size | null;
  readonly items: Size | null;
  readonly maxItems: number;
  readonly maxLength: number;
}

/** Limits below the schema's own, for a value that is too large as a whole. */
export interface Limits {
  /** Entries of one list. */
  readonly items: number;
  /** Characters of one text. */
  readonly characters: number;
}

const NONE: Limits = { items: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };

/** Most keys of a record, as of a list. */
const MAX_KEYS = 100;

function sizeOf(schema: Schema): Size {
  const { properties = {}, additionalProperties, items, maxItems, maxLength } = schema;
  return {
    members: new Map(Object.entries(properties).map(([key, of]) => [key, sizeOf(of)])),
    others: additionalProperties ? sizeOf(additionalProperties) : null,
    items: items ? sizeOf(items) : null,
    maxItems: additionalProperties ? MAX_KEYS : (maxItems ?? Number.POSITIVE_INFINITY),
    maxLength: maxLength ?? Number.POSITIVE_INFINITY,
  };
}

interface Run {
  readonly limits: Limits;
  readonly cut: Set<string>;
}

/**
 * Makes values as large as their schema allows: lists and texts cut, unknown members left out, so that
 * nothing is shown that the schema does not name.
 */
export function createFit(schema: object) {
  const size = sizeOf(schema);

  /** @returns the value itself when it fits; also the paths of what was cut, such as `links.domains` */
  return <T>(value: T, limits: Limits = NONE): { value: T; cut: readonly string[] } => {
    if (fits(size, value, limits)) return { value, cut: [] };
    const cut = new Set<string>();
    return { value: fitAt(size, value, '', { limits, cut }) as T, cut: [...cut] };
  };
}

/** Nearly every part does: that is seen without copying it. */
function fits(size: Size, value: unknown, limits: Limits): boolean {
  if (typeof value === 'string') return value.length <= Math.min(size.maxLength, limits.characters);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return fitsList(size, value, limits);
  let keys = 0;
  for (const key in value) {
    const of = size.members.get(key) ?? size.others;
    const member = (value as Record<string, unknown>)[key];
    if (!of || member === undefined || !fits(of, member, limits)) return false;
    keys += 1;
  }
  return size.others === null || keys <= Math.min(size.maxItems, limits.items);
}

function fitsList({ items, maxItems }: Size, list: readonly unknown[], limits: Limits): boolean {
  if (list.length > Math.min(maxItems, limits.items)) return false;
  if (items !== null) for (const one of list) if (!fits(items, one, limits)) return false;
  return true;
}

function fitAt(size: Size, value: unknown, path: string, run: Run): unknown {
  if (fits(size, value, run.limits)) return value;
  if (typeof value === 'string') return fitText(size, value, path, run);
  if (Array.isArray(value)) return fitList(size, value, path, run);
  return fitObject(size, value as object, path, run);
}

function fitText({ maxLength }: Size, text: string, path: string, { limits, cut }: Run): string {
  cut.add(path);
  return text.slice(0, Math.min(maxLength, limits.characters));
}

function fitList({ items, maxItems }: Size, list: unknown[], path: string, run: Run): unknown[] {
  const most = Math.min(maxItems, run.limits.items);
  if (list.length > most) run.cut.add(path);
  const kept = list.slice(0, most);
  return items ? kept.map((one) => fitAt(items, one, path, run)) : kept;
}

function fitObject({ members, others, maxItems }: Size, value: object, path: string, run: Run) {
  const entries: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    const of = members.get(key) ?? others;
    if (!of || member === undefined) continue;
    entries.push([key, fitAt(of, member, others ? path : join(path, key), run)]);
  }
  const most = others ? Math.min(maxItems, run.limits.items) : entries.length;
  if (entries.length > most) run.cut.add(path);
  return Object.fromEntries(entries.slice(0, most));
}

const join = (path: string, key: string) => (path === '' ? key : `${path}.${key}`);
