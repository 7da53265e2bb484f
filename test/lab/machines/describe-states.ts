import type { AnyStateMachine, StateNode } from 'xstate';

/** Returns a table of the states and their meanings. States without a description are left out. */
export function describeStates({ root }: AnyStateMachine): string {
  const rows = within(root).map(({ path, description }) => {
    return `| \`${path.join('.')}\` | ${description ?? ''} |`;
  });
  return ['| state | meaning |', '|---|---|', ...rows].join('\n');
}

const within = (node: StateNode): readonly StateNode[] =>
  (Object.values(node.states) as StateNode[]).flatMap((child) => [child, ...within(child)]);
