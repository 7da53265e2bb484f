import type { AnyStateMachine, StateNode } from 'xstate';

/** A table of the states and what each means; what is not described has none. */
export function describeStates({ root }: AnyStateMachine): string {
  const rows = within(root).map(({ path, description }) => {
    return `| \`${path.join('.')}\` | ${description ?? ''} |`;
  });
  return ['| state | meaning |', '|---|---|', ...rows].join('\n');
}

const within = (node: StateNode): readonly StateNode[] =>
  (Object.values(node.states) as StateNode[]).flatMap((child) => [child, ...within(child)]);
