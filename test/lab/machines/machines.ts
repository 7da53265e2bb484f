/**
 * Generates the diagrams and tables of the state machines in docs/event-log.md, and each machine as
 * JSON and Mermaid in docs/machines/.
 */

import type { AnyStateMachine } from 'xstate';
import { deliveryTest } from '../../../machines/delivery-test.ts';
import { reportPayment } from '../../../machines/report-payment.ts';
import { replaceBetween } from '../generate/replace-between.ts';
import { describeStates } from './describe-states.ts';
import { toMermaid } from './to-mermaid.ts';

const machines: Readonly<Record<string, AnyStateMachine>> = {
  'delivery-test': deliveryTest,
  'report-payment': reportPayment,
};

/** The page whose diagrams and tables are generated. The rest of it is written by hand. */
export const PAGE = 'docs/event-log.md';

/** In JSON, an action or a guard is only its name. */
const PICTURE =
  'A picture for the Stately editor, without the code of guards and actions. To run the machine, import machines/ of this project.';

/** Returns each generated file by its path: the page with its diagrams, and a machine as JSON. */
export function machineFiles(page: string): Readonly<Record<string, string>> {
  let text = page;
  const files: Record<string, string> = {};
  for (const [name, machine] of Object.entries(machines)) {
    const picture = { $comment: PICTURE, ...machine.config };
    files[`docs/machines/${name}.json`] = `${JSON.stringify(picture, null, 2)}\n`;
    files[`docs/machines/${name}.mmd`] = `${toMermaid(machine)}\n`;
    const shown = `\`\`\`mermaid\n${toMermaid(machine)}\n\`\`\`\n\n${describeStates(machine)}`;
    text = replaceBetween(text, name, shown);
  }
  return { [PAGE]: text, ...files };
}
