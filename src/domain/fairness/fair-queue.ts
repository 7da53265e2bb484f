/**
 * Queues work so that networks, and the clients in each, take turns, or (with `costOf`) so that each network
 * gets the same amount of work done.
 */

interface Waiting<T> {
  readonly path: readonly string[];
  readonly item: T;
}

/** A node of the queue's tree. It has either branches or items, depending on the depth of the paths. */
interface Node<T> {
  readonly branches: Map<string, Node<T>>;
  readonly items: Waiting<T>[];
}

const emptyNode = <T>(): Node<T> => ({ branches: new Map(), items: [] });

/**
 * Creates a queue that takes turns: between networks, between the clients of one network, and so on down the
 * path. A backlog at one network or client delays only that one.
 * @param costOf by default, networks take turns regardless of the size of their work. With `costOf`, each
 * network gets the same amount of work done, so that a little work from one does not wait for a lot of work
 * from many
 */
export function createFairQueue<T>(costOf?: (item: T) => number) {
  const root = emptyNode<T>();
  let size = 0;
  /**
   * How much work each network has received. `reached` is how much the network served last had received
   * before its turn, and a new network begins with that amount.
   */
  const had = new Map<string, number>();
  let reached = 0;

  const hadBy = (name: string) => had.get(name) ?? reached;

  /** Returns the networks in the order of their turns. */
  function inTurn(): Iterable<[string, Node<T>]> {
    if (!costOf) return root.branches;
    const dueOf = ([name, branch]: [string, Node<T>]) => {
      const first = firstOf(branch);
      return hadBy(name) + (first === undefined ? 0 : costOf(first));
    };
    return [...root.branches]
      .map((entry) => ({ entry, due: dueOf(entry) }))
      .sort((one, other) => one.due - other.due)
      .map(({ entry }) => entry);
  }

  function countFor(name: string | undefined, item: T): void {
    if (!costOf || name === undefined) return;
    const before = hadBy(name);
    reached = Math.max(reached, before);
    had.set(name, before + costOf(item));
    for (const [one, amount] of had)
      if (amount <= reached && !root.branches.has(one)) had.delete(one);
  }

  function takeFrom(
    node: Node<T>,
    isEligible: (item: T) => boolean,
    isOpen = (_: string) => true,
  ): Waiting<T> | undefined {
    const index = node.items.findIndex(({ item }) => isEligible(item));
    if (index >= 0) return node.items.splice(index, 1)[0];
    for (const [name, branch] of node === root ? inTurn() : node.branches) {
      if (!isOpen(name)) continue;
      const found = takeFrom(branch, isEligible);
      if (!found) continue;
      // Moves the branch to the end of the round if items still wait in it.
      node.branches.delete(name);
      if (!isEmpty(branch)) node.branches.set(name, branch);
      return found;
    }
    return undefined;
  }

  return {
    size: () => size,
    push(path: readonly string[], item: T): void {
      const [network = ''] = path;
      if (costOf && !root.branches.has(network))
        had.set(network, Math.max(hadBy(network), reached));
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
     * Returns the next eligible item in turn, or `undefined` if no item is eligible.
     * @param isOpen returns whether any item of a network is eligible; if it returns false, all items of that
     * network are skipped
     */
    take(
      isEligible: (item: T) => boolean = () => true,
      isOpen?: (network: string) => boolean,
    ): T | undefined {
      const found = takeFrom(root, isEligible, isOpen);
      if (!found) return undefined;
      size -= 1;
      countFor(found.path[0], found.item);
      return found.item;
    },
    /** Removes an item out of turn. Returns false if the item is not in the queue. */
    remove: (item: T): boolean => {
      const found = takeFrom(root, (one) => one === item) !== undefined;
      if (found) size -= 1;
      return found;
    },
  };
}

function firstOf<T>({ items, branches }: Node<T>): T | undefined {
  if (items[0]) return items[0].item;
  for (const branch of branches.values()) return firstOf(branch);
  return undefined;
}

const isEmpty = <T>({ branches, items }: Node<T>) => branches.size === 0 && items.length === 0;
