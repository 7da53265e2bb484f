/** Runs the operator's commands. Each has its own file, which is loaded only when the command is called. */

// Comes first, because the other imports need a newer Node.js.
import './setup/needs-node.mjs';
import { runCommand } from './operator/run-command.ts';
import { scripts, usagesOf } from './setup/scripts.mjs';

await runCommand(
  {
    doctor: async () => (await import('./operator/doctor/doctor.ts')).runDoctor,
    streams: async () => (await import('./operator/streams.ts')).makeStreams,
    replay: async () => (await import('./operator/replay/replay.ts')).runReplay,
  },
  usagesOf(scripts),
  ['replay'],
);
