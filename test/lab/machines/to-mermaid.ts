/** Draws a state machine as a Mermaid diagram. */

import type { AnyStateMachine, StateNode } from 'xstate';

/** Names in a diagram are words, so a state within another is written with both. */
const nameOf = ({ path }: StateNode) => path.join('_');

/**
 * Returns the machine as a Mermaid state diagram, with one line per transition and its guard in brackets.
 */
export function toMermaid({ root }: AnyStateMachine): string {
  return ['stateDiagram-v2', ...linesIn(root), ...transitionsIn(root)].join('\n');
}

const childrenOf = (node: StateNode) => Object.values(node.states) as StateNode[];

/** Returns the states within one, where it begins, and each that has states of its own. */
function linesIn(node: StateNode): readonly string[] {
  const indent = '  '.repeat(node.path.length + 1);
  const [initial] = node.initial.target ?? [];
  return [
    ...(initial ? [`${indent}[*] --> ${nameOf(initial)}`] : []),
    ...childrenOf(node).flatMap((child) =>
      childrenOf(child).length === 0
        ? [`${indent}${nameOf(child)}: ${child.key}`]
        : [`${indent}state ${nameOf(child)} {`, ...linesIn(child), `${indent}}`],
    ),
  ];
}

function transitionsIn(node: StateNode): readonly string[] {
  return childrenOf(node).flatMap((child) => [
    ...[...child.transitions.values()].flat().map(({ eventType, guard, target }) => {
      const condition = typeof guard === 'string' ? ` [${guard}]` : '';
      return `  ${nameOf(child)} --> ${nameOf(target?.[0] ?? child)}: ${eventType}${condition}`;
    }),
    ...(child.type === 'final' ? [`  ${nameOf(child)} --> [*]`] : []),
    ...transitionsIn(child),
  ]);
}
