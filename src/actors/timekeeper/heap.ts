/** Something at an instant, in milliseconds since 1970. */
export interface Timed {
  readonly dueAt: number;
}

/** A binary heap with the earliest on top: a million deadlines cost twenty steps each. */
export function earliestFirst<T extends Timed>() {
  const items: T[] = [];
  const dueAt = (index: number) => items[index]?.dueAt ?? Number.POSITIVE_INFINITY;

  function swap(one: number, other: number): void {
    const kept = items[one] as T;
    items[one] = items[other] as T;
    items[other] = kept;
  }

  return {
    get size() {
      return items.length;
    },
    peek: (): T | undefined => items[0],
    push(item: T): void {
      let index = items.push(item) - 1;
      while (index > 0) {
        const parent = (index - 1) >> 1;
        if (dueAt(parent) <= dueAt(index)) return;
        swap(parent, index);
        index = parent;
      }
    },
    pop(): T | undefined {
      const top = items[0];
      const last = items.pop();
      if (last === undefined || items.length === 0) return top;
      items[0] = last;
      for (let index = 0; ; ) {
        const left = 2 * index + 1;
        const child = dueAt(left + 1) < dueAt(left) ? left + 1 : left;
        if (dueAt(index) <= dueAt(child)) return top;
        swap(index, child);
        index = child;
      }
    },
  };
}
