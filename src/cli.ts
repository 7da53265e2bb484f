import { runCommand } from './cli/run-command.ts';
import { scripts, usagesOf } from './setup/scripts.mjs';

/** The commands for running the service. One file a command, loaded only when it is called. */
await runCommand(
  {
    doctor: async () => (await import('./cli/doctor/doctor.ts')).runDoctor,
    openapi: async () => (await import('./cli/openapi.ts')).printOpenapi,
    streams: async () => (await import('./cli/streams.ts')).makeStreams,
    replay: async () => (await import('./cli/replay/replay.ts')).runReplay,
  },
  usagesOf(scripts),
  ['replay'],
);
