/**
 * What the analysis uses and Node.js 20 does not have yet. The bundle of the command runs there; the
 * service does not load this.
 */

type Grouping = <T, K>(items: Iterable<T>, keyOf: (item: T, index: number) => K) => Map<K, T[]>;

const groupToMap: Grouping = (items, keyOf) => {
  const groups = new Map();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

function define(target: object, members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members))
    if (!(name in target))
      Object.defineProperty(target, name, { value, configurable: true, writable: true });
}

define(Map, { groupBy: groupToMap });
define(Object, {
  groupBy: (items: Iterable<unknown>, keyOf: (item: unknown, index: number) => PropertyKey) =>
    Object.fromEntries(groupToMap(items, keyOf)),
});
define(Promise, {
  withResolvers<T>() {
    const parts: { resolve?: (value: T) => void; reject?: (reason: unknown) => void } = {};
    const promise = new Promise<T>((resolve, reject) => Object.assign(parts, { resolve, reject }));
    return { promise, ...parts };
  },
});
define(RegExp, {
  // Each in hexadecimal means the same at every place of an expression.
  escape: (text: string) =>
    text.replace(/[^\p{L}\p{N}\s]/gu, (char) =>
      [...Buffer.from(char, 'utf16le')].length > 2 || char > '\u007f'
        ? char
        : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
    ),
});

/** Of `Iterator.prototype`, by arrays: ours are short. */
const iterators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
define(iterators, {
  *map(this: Iterable<unknown>, change: (value: unknown, index: number) => unknown) {
    let index = 0;
    for (const value of this) yield change(value, index++);
  },
  *filter(this: Iterable<unknown>, isWanted: (value: unknown, index: number) => boolean) {
    let index = 0;
    for (const value of this) if (isWanted(value, index++)) yield value;
  },
  find(this: Iterable<unknown>, isWanted: (value: unknown) => boolean) {
    for (const value of this) if (isWanted(value)) return value;
    return undefined;
  },
  some(this: Iterable<unknown>, isWanted: (value: unknown) => boolean) {
    for (const value of this) if (isWanted(value)) return true;
    return false;
  },
  *take(this: Iterable<unknown>, most: number) {
    let left = most;
    if (left > 0)
      for (const value of this) {
        yield value;
        left -= 1;
        if (left <= 0) return;
      }
  },
  *drop(this: Iterable<unknown>, count: number) {
    let index = 0;
    for (const value of this) if (index++ >= count) yield value;
  },
  *flatMap(this: Iterable<unknown>, change: (value: unknown, index: number) => Iterable<unknown>) {
    let index = 0;
    for (const value of this) yield* change(value, index++);
  },
  every(this: Iterable<unknown>, holds: (value: unknown) => boolean) {
    for (const value of this) if (!holds(value)) return false;
    return true;
  },
  reduce(this: Iterable<unknown>, ...args: Parameters<unknown[]['reduce']>) {
    return [...this].reduce(...args);
  },
  forEach(this: Iterable<unknown>, visit: (value: unknown) => void) {
    for (const value of this) visit(value);
  },
  toArray(this: Iterable<unknown>) {
    return [...this];
  },
});

/** Of `Set.prototype`; the other set is one, or a map. */
define(Set.prototype, {
  union(this: Set<unknown>, other: ReadonlySet<unknown>) {
    return new Set([...this, ...other.keys()]);
  },
  intersection(this: Set<unknown>, other: ReadonlySet<unknown>) {
    return new Set([...this].filter((value) => other.has(value)));
  },
  difference(this: Set<unknown>, other: ReadonlySet<unknown>) {
    return new Set([...this].filter((value) => !other.has(value)));
  },
  isSubsetOf(this: Set<unknown>, other: ReadonlySet<unknown>) {
    return [...this].every((value) => other.has(value));
  },
  isDisjointFrom(this: Set<unknown>, other: ReadonlySet<unknown>) {
    return ![...this].some((value) => other.has(value));
  },
});
