interface Waiting<T> {
  readonly path: readonly string[];
  readonly item: T;
}

/** A node has branches or items, by the depth of the paths. */
interface Node<T> {
  readonly branches: Map<string, Node<T>>;
  readonly items: Waiting<T>[];
}

const emptyNode = <T>(): Node<T> => ({ branches: new Map(), items: [] });

/**
 * A queue that takes turns: between networks, between the clients of one network, and so on down
 * the path. Much waiting work of one delays only its own.
 */
export function createFairQueue<T>() {
  const root = emptyNode<T>();
  let size = 0;

  function takeFrom(
    node: Node<T>,
    isEligible: (item: T) => boolean,
    isOpen = (_: string) => true,
  ): T | undefined {
    const index = node.items.findIndex(({ item }) => isEligible(item));
    if (index >= 0) return node.items.splice(index, 1)[0]?.item;
    for (const [name, branch] of node.branches) {
      if (!isOpen(name)) continue;
      const item = takeFrom(branch, isEligible);
      if (item === undefined) continue;
      // To the end of the round, as long as something waits there.
      node.branches.delete(name);
      if (!isEmpty(branch)) node.branches.set(name, branch);
      return item;
    }
    return undefined;
  }

  return {
    size: () => size,
    push(path: readonly string[], item: T): void {
      let node = root;
      for (const name of path) {
        const branch = node.branches.get(name) ?? emptyNode<T>();
        node.branches.set(name, branch);
        node = branch;
      }
      node.items.push({ path, item });
      size += 1;
    },
    /**
     * The next item in turn among those that may go now.
     *
     * @param isOpen whether anything of a network may: else what waits there is not gone through
     */
    take(
      isEligible: (item: T) => boolean = () => true,
      isOpen?: (network: string) => boolean,
    ): T | undefined {
      const item = takeFrom(root, isEligible, isOpen);
      if (item !== undefined) size -= 1;
      return item;
    },
    /** Takes an item out of turn; false: it is not waiting. */
    remove: (item: T): boolean => {
      const found = takeFrom(root, (one) => one === item) !== undefined;
      if (found) size -= 1;
      return found;
    },
  };
}

const isEmpty = <T>({ branches, items }: Node<T>) => branches.size === 0 && items.length === 0;
