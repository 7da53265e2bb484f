/**
 * Cuts values down until they match a JSON Schema, and stricter limits if there are any, and returns the
 * paths of what was cut.
 */

/** A JSON Schema, with the keywords that the schema of reports uses. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** The schema of each value of a record, whose keys are not known in advance. */
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A schema in a form that is fast to read, because it is read several thousand times per report. */
interface Shape {
  readonly isText: boolean;
  readonly isNumber: boolean;
  readonly isInteger: boolean;
  readonly isFlag: boolean;
  readonly isNull: boolean;
  readonly isList: boolean;
  readonly isObject: boolean;
  readonly words: ReadonlySet<unknown> | null;
  readonly pattern: RegExp | null;
  readonly minimum: number;
  readonly maximum: number;
  readonly required: readonly string[];
  readonly members: ReadonlyMap<string, Shape>;
  readonly others: Shape | null;
  readonly items: Shape | null;
  readonly maxItems: number;
  readonly maxLength: number;
}

/** Stricter limits than those of the schema, for a value that is too large in total. */
export interface Limits {
  /** Maximum number of entries in each list. */
  readonly items: number;
  /** Maximum number of characters in each text. */
  readonly characters: number;
}

const NONE: Limits = { items: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };

/** Maximum number of keys in a record. */
const MAX_KEYS = 100;

function shapeOf(schema: Schema): Shape {
  // Alternatives in `anyOf` always differ in type, so they can be combined into one shape.
  const whole = Object.assign({}, ...(schema.anyOf ?? []), schema) as Schema;
  const types = new Set(typesOf(schema));
  const { properties = {}, additionalProperties, items, maxItems, maxLength, pattern } = whole;
  return {
    isText: types.has('string'),
    isNumber: types.has('number') || types.has('integer'),
    isInteger: !types.has('number'),
    isFlag: types.has('boolean'),
    isNull: types.has('null'),
    isList: types.has('array'),
    isObject: types.has('object'),
    words: whole.enum ? new Set(whole.enum) : null,
    pattern: pattern === undefined ? null : new RegExp(pattern),
    minimum: whole.minimum ?? Number.NEGATIVE_INFINITY,
    maximum: whole.maximum ?? Number.POSITIVE_INFINITY,
    required: whole.required ?? [],
    members: new Map(Object.entries(properties).map(([key, of]) => [key, shapeOf(of)])),
    others: additionalProperties ? shapeOf(additionalProperties) : null,
    items: items ? shapeOf(items) : null,
    maxItems: additionalProperties ? MAX_KEYS : (maxItems ?? Number.POSITIVE_INFINITY),
    maxLength: maxLength ?? Number.POSITIVE_INFINITY,
  };
}

const typesOf = ({ type, anyOf }: Schema): readonly string[] =>
  type === undefined ? (anyOf?.flatMap(typesOf) ?? ANY) : [type].flat();

const ANY = ['string', 'number', 'boolean', 'null', 'array', 'object'];

interface Run {
  readonly limits: Limits;
  readonly cut: Set<string>;
}

/**
 * Returns a function that makes values match an object schema. The function cuts lists and texts that are too
 * long, and leaves out members that the schema does not name. Required members of the outermost object may be
 * missing, because a report is built in parts.
 */
export function createFit(schema: object) {
  const shape = { ...shapeOf(schema), required: [] };

  /**
   * Returns the value unchanged if it matches. Otherwise returns a cut copy, and the paths of what was cut,
   * such as `links.domains`.
   * @throws TypeError if no cut makes the value match, which is a defect in whatever built it
   */
  return <T>(value: T, limits: Limits = NONE): { value: T; cut: readonly string[] } => {
    if (matches(shape, value, limits)) return { value, cut: [] };
    const cut = new Set<string>();
    return { value: fitAt(shape, value, '', { limits, cut }) as T, cut: [...cut] };
  };
}

/**
 * Returns whether a value matches without being cut. Nearly every value does, and this test needs no copy.
 */
function matches(shape: Shape, value: unknown, limits: Limits): boolean {
  if (typeof value === 'string') return matchesText(shape, value, limits);
  if (typeof value === 'number') return matchesNumber(shape, value);
  if (typeof value === 'boolean') return shape.isFlag;
  if (value === null) return shape.isNull;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return matchesList(shape, value, limits);
  return matchesObject(shape, value as Record<string, unknown>, limits);
}

function matchesText(
  { isText, words, pattern, maxLength }: Shape,
  text: string,
  { characters }: Limits,
): boolean {
  if (words !== null) return words.has(text);
  if (!isText || text.length > maxLength || text.length > characters) return false;
  return pattern === null || pattern.test(text);
}

function matchesNumber(shape: Shape, value: number): boolean {
  if (!shape.isNumber || !(value >= shape.minimum && value <= shape.maximum)) return false;
  if (shape.words !== null && !shape.words.has(value)) return false;
  return shape.isInteger ? Number.isInteger(value) : Number.isFinite(value);
}

function matchesList(
  { isList, items, maxItems }: Shape,
  list: readonly unknown[],
  limits: Limits,
): boolean {
  if (!isList || list.length > Math.min(maxItems, limits.items)) return false;
  if (items !== null) for (const one of list) if (!matches(items, one, limits)) return false;
  return true;
}

function matchesObject(shape: Shape, value: Record<string, unknown>, limits: Limits): boolean {
  if (!shape.isObject) return false;
  for (const key of shape.required) if (value[key] === undefined) return false;
  let keys = 0;
  for (const key in value) {
    const of = shape.members.get(key) ?? shape.others;
    const member = value[key];
    if (!of || member === undefined || !matches(of, member, limits)) return false;
    keys += 1;
  }
  return shape.others === null || keys <= Math.min(shape.maxItems, limits.items);
}

function fitAt(shape: Shape, value: unknown, path: string, run: Run): unknown {
  if (matches(shape, value, run.limits)) return value;
  const fitted = cutAt(shape, value, path, run);
  if (matches(shape, fitted, run.limits)) return fitted;
  throw new TypeError(`${path || 'a part'} of the report does not match its schema`);
}

function cutAt(shape: Shape, value: unknown, path: string, run: Run): unknown {
  if (typeof value === 'string') return cutText(shape, value, path, run);
  if (Array.isArray(value)) return cutList(shape, value, path, run);
  return typeof value === 'object' && value !== null ? cutObject(shape, value, path, run) : value;
}

function cutText({ maxLength }: Shape, text: string, path: string, { limits, cut }: Run): string {
  cut.add(path);
  return text.slice(0, Math.min(maxLength, limits.characters));
}

function cutList({ items, maxItems }: Shape, list: unknown[], path: string, run: Run): unknown[] {
  const most = Math.min(maxItems, run.limits.items);
  if (list.length > most) run.cut.add(path);
  const kept = list.slice(0, most);
  return items ? kept.map((one) => fitAt(items, one, path, run)) : kept;
}

function cutObject({ members, others, maxItems }: Shape, value: object, path: string, run: Run) {
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
