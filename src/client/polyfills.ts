/**
 * Adds functions that the analysis uses and that Node.js 20 lacks (polyfills). The bundled command runs on
 * Node.js 20; the service does not load this file.
 */

Map.groupBy ??= <K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K) => {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

Promise.withResolvers ??= <T>() => {
  const parts = {} as PromiseWithResolvers<T>;
  parts.promise = new Promise<T>((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
};

// Every special character becomes a hexadecimal escape, which has the same meaning everywhere in a regular
// expression.
RegExp.escape ??= (text: string) =>
  text.replace(/[!-/:-@[-`{-~]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`);
