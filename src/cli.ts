import { endWithParent } from './setup/parent.mjs';

type Command = (args: readonly string[]) => Promise<number | undefined>;

/** One file a command; loaded only when it is called. A command resolves to its exit code. */
const commands: Record<string, () => Promise<Command>> = {
  bench: async () => (await import('./cli/bench.ts')).runBench,
  cluster: async () => (await import('./cli/cluster.ts')).runCluster,
  conformance: async () => (await import('./cli/conformance.ts')).runConformance,
  demo: async () => (await import('./cli/demo.ts')).runDemo,
  mta: async () => (await import('./cli/mta.ts')).runMta,
  hostile: async () => (await import('./cli/hostile.ts')).runHostile,
  doctor: async () => (await import('./cli/doctor.ts')).runDoctor,
  fuzz: async () => (await import('./cli/fuzz.ts')).runFuzz,
  openapi: async () => (await import('./cli/openapi.ts')).printOpenapi,
  replay: async () => (await import('./cli/replay.ts')).runReplay,
  soak: async () => (await import('./cli/soak.ts')).runSoak,
};

// A reader that has seen enough, such as `head`, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
endWithParent();

const [name = '', ...args] = process.argv.slice(2);
const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (load) {
  const run = await load();
  try {
    process.exitCode = (await run(args)) ?? 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
} else {
  console.error(`Commands: ${Object.keys(commands).join(', ')}.`);
  process.exitCode = 2;
}
