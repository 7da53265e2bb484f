import { createStreams } from '../adapters/nats/streams.ts';
import { readOptions } from '../config/command-line.ts';
import { loadLogConfig } from '../config/config.ts';
import { connectLog } from './replay/source.ts';

/**
 * Runs `operator.ts streams [--final]`, which creates the streams of the log and sets their limits. It runs
 * as the operator's user, so that the service's own user does not need permission for that. It changes
 * nothing if everything already matches the settings. `--final` also sets properties that the previous
 * release cannot run with, or that cannot be undone. Resolves to the exit code.
 */
export async function makeStreams(args: readonly string[]): Promise<number> {
  const { values } = readOptions(args, { final: { type: 'boolean', default: false } });
  const config = loadLogConfig();
  const { nats, durations } = config;
  if (nats.url === null && !values.final) {
    console.error(
      'NATS_URL is not set: the service itself creates the streams of its own nats-server. Without NATS_URL, this command accepts only --final.',
    );
    return 2;
  }
  const { connection, stop } = await connectLog(config);
  try {
    const settings = { ...nats, ...durations };
    const outcomes = await createStreams(connection, settings, { isFinal: values.final });
    for (const [name, outcome] of Object.entries(outcomes)) console.log(`${name}: ${outcome}`);
    return 0;
  } finally {
    await stop();
  }
}
