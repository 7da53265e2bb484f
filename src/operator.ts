import { runCommand } from './operator/run-command.ts';
import { scripts, usagesOf } from './setup/scripts.mjs';

/** The commands for running the service. One file a command, loaded only when it is called. */
await runCommand(
  {
    doctor: async () => (await import('./operator/doctor/doctor.ts')).runDoctor,
    streams: async () => (await import('./operator/streams.ts')).makeStreams,
    replay: async () => (await import('./operator/replay/replay.ts')).runReplay,
  },
  usagesOf(scripts),
  ['replay'],
);
