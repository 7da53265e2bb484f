/** Tests the diagrams and the tables that are generated from the state machines. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine } from 'xstate';
import { deliveryTest } from '../../../machines/delivery-test.ts';
import { reportPayment } from '../../../machines/report-payment.ts';
import { projectDir } from '../../../src/setup/cache.mjs';
import { describeStates } from './describe-states.ts';
import { toMermaid } from './to-mermaid.ts';

const read = (path: string) => readFileSync(join(projectDir, path), 'utf8');

test.each(['delivery-test', 'report-payment'])(
  'every action and guard of %s has a name, which JSON keeps',
  (name) => {
    const stored = read(`docs/machines/${name}.json`);
    expect(stored).not.toMatch(/"(actions|guard)": (\{|null)/);
    expect(toMermaid(createMachine(JSON.parse(stored)))).toBe(
      read(`docs/machines/${name}.mmd`).trimEnd(),
    );
  },
);

describe('a diagram', () => {
  const machine = createMachine({
    id: 'door',
    initial: 'open',
    states: {
      open: { on: { Close: { guard: 'isFree', target: 'closed' }, Push: {} } },
      closed: {
        initial: 'free',
        states: { free: { on: { Lock: 'locked' } }, locked: { type: 'final' } },
      },
    },
  });

  test('has every state, transition and guard', () => {
    expect(toMermaid(machine)).toBe(
      [
        'stateDiagram-v2',
        '  [*] --> open',
        '  open: open',
        '  state closed {',
        '    [*] --> closed_free',
        '    closed_free: free',
        '    closed_locked: locked',
        '  }',
        '  open --> closed: Close [isFree]',
        '  open --> open: Push',
        '  closed_free --> closed_locked: Lock',
        '  closed_locked --> [*]',
      ].join('\n'),
    );
  });
});

test('every state is described', () => {
  for (const machine of [deliveryTest, reportPayment])
    expect(describeStates(machine)).not.toContain('|  |');
});
