/** Defines every stream and bucket with its limits, and creates or updates them. */

import type { DiscardPolicy, RetentionPolicy, StorageType, StreamConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { LogConnection } from './connection.ts';
import { codeOf, codes, isForbidden } from './outage.ts';

const MIB = 1024 * 1024;

/**
 * How long a stream recognizes a repeated append, in seconds. This is only an additional safeguard: the
 * expected sequence number is what decides.
 */
const DUPLICATES_SECONDS = 120;

/**
 * Maximum number of messages per test. The longest history has fewer: 16 refusals, three analyses and their
 * ends.
 */
const MESSAGES_A_TEST = 64;

/** Time between the end of a test's longest lifetime and the expiry of its messages, in seconds. */
const MARGIN_SECONDS = 7200;

/** Time after which a leftover entry expires, in seconds. The buckets can be rebuilt. */
const VIEW_SECONDS = 172_800;

export interface StreamSettings {
  readonly receiveWindowSeconds: number;
  readonly retentionSeconds: number;
  readonly testsMaxBytes: number;
  readonly reportsMaxBytes: number;
  readonly paymentsMaxBytes: number;
}

type Config = Partial<StreamConfig> & Pick<StreamConfig, 'name' | 'subjects'>;

/** A full stream refuses new messages. It never drops old ones to make room. */
const common = (replicas: number) => ({
  retention: 'limits' as RetentionPolicy,
  storage: 'file' as StorageType,
  discard: 'new' as DiscardPolicy,
  num_replicas: replicas,
  max_consumers: -1,
});

const maxAge = (seconds: number) => ({
  max_age: nanos(seconds * 1000),
  // The server requires this window to be no longer than the age, which may be set to only a few seconds.
  duplicate_window: nanos(1000 * Math.min(seconds || DUPLICATES_SECONDS, DUPLICATES_SECONDS)),
});

interface Limits {
  /** How long messages are kept, in seconds; 0 means forever. */
  readonly seconds: number;
  readonly maxBytes: number;
  readonly replicas: number;
}

const bucketConfig = (name: string, { seconds, maxBytes, replicas }: Limits): Config => ({
  ...common(replicas),
  name: `KV_${name}`,
  subjects: [`$KV.${name}.>`],
  ...maxAge(seconds),
  max_bytes: maxBytes,
  max_msgs_per_subject: 1,
  allow_rollup_hdrs: true,
  // Direct reads may come from a replica that lags.
  allow_direct: false,
});

type ViewSettings = Pick<StreamSettings, 'retentionSeconds' | 'reportsMaxBytes'>;

/** Returns how long an entry about a test or payment is kept if nobody removes it, in seconds. */
const lineSeconds = ({ retentionSeconds }: Pick<StreamSettings, 'retentionSeconds'>) =>
  Math.max(VIEW_SECONDS, 2 * retentionSeconds);

/** The buckets with data derived from the log, which can be rebuilt. */
const viewConfigs = (settings: ViewSettings, replicas: number) => ({
  status: bucketConfig('status', {
    seconds: lineSeconds(settings),
    maxBytes: 256 * MIB,
    replicas,
  }),
  // The bucket of reports is smaller than their stream: a copy for which there is no room is read from the
  // stream instead.
  reports: bucketConfig('reports', {
    seconds: settings.retentionSeconds,
    maxBytes: Math.floor(settings.reportsMaxBytes * 0.75),
    replicas,
  }),
});

const marksConfig = (replicas: number) =>
  bucketConfig('marks', { seconds: 0, maxBytes: MIB, replicas });

/** Returns every stream and bucket, with its limits. */
function streamConfigs(settings: StreamSettings, replicas: number): readonly Config[] {
  const { receiveWindowSeconds, retentionSeconds } = settings;
  return [
    // The marks come first: a server that cannot read its store, for example because it has a different key,
    // empties whatever is created there again.
    marksConfig(replicas),
    {
      ...common(replicas),
      name: 'TESTS',
      subjects: ['tests.*'],
      ...maxAge(receiveWindowSeconds + retentionSeconds + MARGIN_SECONDS),
      max_bytes: settings.testsMaxBytes,
      max_msgs_per_subject: MESSAGES_A_TEST,
      discard_new_per_subject: true,
      // A single message can be erased, but the stream cannot be purged.
      deny_purge: true,
    },
    {
      ...common(replicas),
      name: 'REPORTS',
      subjects: ['reports.*'],
      ...maxAge(retentionSeconds),
      max_bytes: settings.reportsMaxBytes,
      deny_purge: true,
    },
    {
      ...common(replicas),
      name: 'PAYMENTS',
      subjects: ['payments.*'],
      max_age: 0,
      duplicate_window: nanos(1000 * DUPLICATES_SECONDS),
      max_bytes: settings.paymentsMaxBytes,
      deny_delete: true,
      deny_purge: true,
    },
    ...Object.values(viewConfigs(settings, replicas)),
    bucketConfig('payment_claims', {
      seconds: lineSeconds(settings),
      maxBytes: 256 * MIB,
      replicas,
    }),
  ];
}

/**
 * Properties, by stream, that the previous release cannot run with or that cannot be undone. A new stream has
 * them from the start. An existing stream gets them only from `operate -- streams --final`, once no replica
 * of the previous release runs. That is how a release can be rolled back by one step.
 */
const FINAL: Readonly<Record<string, Partial<StreamConfig>>> = {
  // Entries are written once: no deletion marker replaces a claim, which ends only by expiring.
  KV_payment_claims: {
    discard_new_per_subject: true,
    allow_rollup_hdrs: false,
    deny_delete: true,
    deny_purge: true,
  },
};

/** Returns how many bytes all streams and buckets take on each node when they are full. */
export const fullBytes = (
  settings: Omit<StreamSettings, 'receiveWindowSeconds' | 'retentionSeconds'>,
) =>
  streamConfigs({ ...settings, receiveWindowSeconds: 0, retentionSeconds: 0 }, 1).reduce(
    (sum, { max_bytes = 0 }) => sum + max_bytes,
    0,
  );

/**
 * The result for one stream. `kept older`: its content was promised to live longer; `not final`: the previous
 * release can still run on it.
 */
export type StreamOutcome = 'created' | 'updated' | 'unchanged' | 'kept older' | 'not final';

interface Making {
  readonly isWanted?: (name: string) => boolean;
  /** True if no replica of the previous release is running or will run again. */
  readonly isFinal?: boolean;
}

/**
 * Creates what is missing, and sets the limits of what exists. It may run on every replica at once.
 *
 * @throws if a stream of that name cannot be changed as needed because its deny flags cannot be undone, or if
 * it would have to be changed and the user has no permission for that
 */
export async function createStreams(
  connection: LogConnection,
  settings: StreamSettings,
  { isWanted = () => true, isFinal = false }: Making = {},
): Promise<Readonly<Record<string, StreamOutcome>>> {
  const outcomes: Record<string, StreamOutcome> = {};
  const configs = streamConfigs(settings, connection.replicas);
  for (const config of configs.filter(({ name }) => isWanted(name)))
    outcomes[config.name] = await ensureStream(connection, config, isFinal);
  return outcomes;
}

/** Returns whether messages are kept for a shorter time; 0 means forever. */
const isShorter = (age: number, than: number) => age !== 0 && (than === 0 || age < than);

async function ensureStream(
  connection: LogConnection,
  config: Config,
  isFinal = false,
): Promise<StreamOutcome> {
  try {
    return await connection.reachAtStart(config.name, () =>
      createOrUpdate(connection, config, isFinal),
    );
  } catch (error) {
    const fault = describeFault(error, config.name);
    throw fault === undefined ? error : new Error(fault, { cause: error });
  }
}

/** The server omits settings that are false. */
const isSet = (there: StreamConfig, [key, value]: [string, unknown]) =>
  JSON.stringify(there[key as keyof StreamConfig] ?? false) === JSON.stringify(value);

async function createOrUpdate(
  { jsm }: LogConnection,
  config: Config,
  isFinal: boolean,
): Promise<StreamOutcome> {
  const final = FINAL[config.name] ?? {};
  try {
    const { config: there } = await jsm.streams.info(config.name);
    const keepsAge = isShorter(config.max_age ?? 0, there.max_age);
    const lacksFinal = !isFinal && !Object.entries(final).every((one) => isSet(there, one));
    const wanted = {
      ...config,
      ...(keepsAge && { max_age: there.max_age }),
      ...(lacksFinal ? pick(there, Object.keys(final)) : final),
    };
    const differing = Object.entries(wanted).filter((one) => !isSet(there, one));
    // Another replica may have just changed the rest.
    if (differing.length > 0) await jsm.streams.update(config.name, Object.fromEntries(differing));
    if (lacksFinal) return 'not final';
    if (keepsAge) return 'kept older';
    return differing.length > 0 ? 'updated' : 'unchanged';
  } catch (error) {
    if (codeOf(error) !== codes.streamNotFound) throw error;
    await jsm.streams.add({ ...config, ...final }).catch((raced: unknown) => {
      if (codeOf(raced) !== codes.streamNameInUse) throw raced;
    });
    return 'created';
  }
}

const pick = (there: StreamConfig, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, there[key as keyof StreamConfig] ?? false]));

/** Creates the bucket of marks if it is missing. */
export async function createMarks(connection: LogConnection): Promise<void> {
  await ensureStream(connection, marksConfig(connection.replicas));
}

/**
 * Returns why a stream could not be created or changed and what to do, or `undefined` if nothing more is
 * known.
 */
function describeFault(error: unknown, stream: string): string | undefined {
  if (error instanceof Error && error.cause) {
    const fault = describeFault(error.cause, stream);
    if (fault !== undefined) return fault;
  }
  if (isForbidden(error))
    return `The stream ${stream} is missing or has other limits, and this NATS user may not change it. Run \`npm run operate -- streams\` as the operator's user, then start again.`;
  const code = codeOf(error);
  if (code === codes.notCreated)
    return `nats-server could not create the stream ${stream}. Its log says why. If its store is encrypted, start it with the key that the store was written with (NATS_JS_KEY; NATS_STORE_KEY_FILE for the service's own).`;
  if (code !== undefined && codes.noRoom.includes(code))
    return `nats-server has no room for the stream ${stream}: ${(error as Error).message}. Raise its max_file_store, free disk space, or lower TESTS_MAX_BYTES, REPORTS_MAX_BYTES or PAYMENTS_MAX_BYTES; in a cluster, check that all nodes are running.`;
  return undefined;
}
