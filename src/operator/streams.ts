import { connectNamedNats } from '../adapters/nats/connection.ts';
import { createStreams } from '../adapters/nats/streams.ts';
import { readOptions } from '../config/command-line.ts';
import { loadLogConfig } from '../config/config.ts';

/**
 * `operator.ts streams`: makes the streams of the log and sets their limits, as the operator's user, so
 * that the service's own user need not be allowed to. Changes nothing when all is as the settings
 * want it. Resolves to the exit code.
 */
export async function makeStreams(args: readonly string[]): Promise<number> {
  readOptions(args, {});
  const { nats, durations } = loadLogConfig();
  if (nats.url === null) {
    console.error(
      'NATS_URL is not set: the service makes the streams of its own nats-server itself.',
    );
    return 2;
  }
  const connection = await connectNamedNats({ ...nats, url: nats.url, name: 'streams' });
  try {
    const outcomes = await createStreams(connection, { ...nats, ...durations });
    for (const [name, outcome] of Object.entries(outcomes)) console.log(`${name}: ${outcome}`);
    return 0;
  } finally {
    await connection.close();
  }
}
