import type { DiscardPolicy, RetentionPolicy, StorageType, StreamConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Connection } from './connection.ts';
import { codeOf, codes, reach } from './outage.ts';

const MIB = 1024 * 1024;

/** In which a stream recognises a repeated append. Only a help: the expectation is the rule. */
const DUPLICATES_SECONDS = 120;

/** More than the longest history: 16 refusals, three analyses and their ends. */
const MESSAGES_A_TEST = 64;

/** Between the end of the longest life of a test and its messages' own end, in seconds. */
const MARGIN_SECONDS = 7200;

/** The views are rebuildable; this is when one that was left behind goes. */
const VIEW_SECONDS = 172_800;

export interface StreamSettings {
  readonly receiveWindowSeconds: number;
  readonly retentionSeconds: number;
  readonly testsMaxBytes: number;
  readonly reportsMaxBytes: number;
  readonly paymentsMaxBytes: number;
}

type Config = Partial<StreamConfig> & Pick<StreamConfig, 'name' | 'subjects'>;

/** Every stream and bucket, with its limits (`discard: new`: a full one refuses, it never forgets). */
function streamConfigs(settings: StreamSettings, replicas: number): readonly Config[] {
  const { receiveWindowSeconds, retentionSeconds } = settings;
  const common = {
    retention: 'limits' as RetentionPolicy,
    storage: 'file' as StorageType,
    discard: 'new' as DiscardPolicy,
    num_replicas: replicas,
    max_consumers: -1,
  };
  const maxAge = (seconds: number) => ({
    max_age: nanos(seconds * 1000),
    // The server wants it to be no longer than the age, and the age may be set to seconds.
    duplicate_window: nanos(1000 * Math.min(seconds, DUPLICATES_SECONDS)),
  });
  const bucket = (name: string, seconds: number, maxBytes: number): Config => ({
    ...common,
    name: `KV_${name}`,
    subjects: [`$KV.${name}.>`],
    ...maxAge(seconds),
    max_bytes: maxBytes,
    max_msgs_per_subject: 1,
    allow_rollup_hdrs: true,
    // Direct reads may come from a replica that lags.
    allow_direct: false,
  });
  return [
    {
      ...common,
      name: 'TESTS',
      subjects: ['tests.*'],
      ...maxAge(receiveWindowSeconds + retentionSeconds + MARGIN_SECONDS),
      max_bytes: settings.testsMaxBytes,
      max_msgs_per_subject: MESSAGES_A_TEST,
      discard_new_per_subject: true,
    },
    {
      ...common,
      name: 'REPORTS',
      subjects: ['reports.*'],
      ...maxAge(retentionSeconds),
      max_bytes: settings.reportsMaxBytes,
    },
    {
      ...common,
      name: 'PAYMENTS',
      subjects: ['payments.*'],
      max_age: 0,
      duplicate_window: nanos(1000 * DUPLICATES_SECONDS),
      max_bytes: settings.paymentsMaxBytes,
      deny_delete: true,
      deny_purge: true,
    },
    bucket('status', Math.max(VIEW_SECONDS, 2 * retentionSeconds), 256 * MIB),
    // Below the stream's own: a copy that finds no room is read from the stream instead.
    bucket('reports', retentionSeconds, Math.floor(settings.reportsMaxBytes * 0.75)),
    bucket('payment_claims', Math.max(VIEW_SECONDS, 2 * retentionSeconds), 256 * MIB),
  ];
}

/**
 * Creates what is missing and sets the limits of what is there. May run on every replica at once.
 *
 * @throws when a stream of that name cannot be made to fit: its deny flags cannot be taken back
 */
export async function createStreams(connection: Connection, settings: StreamSettings) {
  for (const config of streamConfigs(settings, connection.replicas))
    await reach(() => ensureStream(connection, config), 15_000);
}

async function ensureStream({ jsm }: Connection, config: Config): Promise<void> {
  try {
    const { config: there } = await jsm.streams.info(config.name);
    const differs = Object.entries(config).some(
      ([key, value]) =>
        // The server leaves out what is false.
        JSON.stringify(there[key as keyof typeof there] ?? false) !== JSON.stringify(value),
    );
    if (differs) await jsm.streams.update(config.name, config);
  } catch (error) {
    if (codeOf(error) !== codes.streamNotFound) throw error;
    await jsm.streams.add(config).catch((raced: unknown) => {
      if (codeOf(raced) !== codes.streamNameInUse) throw raced;
    });
  }
}
