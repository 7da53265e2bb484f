/** Follows a stream without gaps, across restarts of the server, and tells how far it is behind. */

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Consumer,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
} from '@nats-io/jetstream';
import type { Following, FollowOptions, Poison, Recorded } from '../../ports/log.ts';
import type { LogConnection } from './connection.ts';

/** How often the server sends a sign of life, in milliseconds. */
const HEARTBEAT_MS = 1000;

/** Length of a pull, in milliseconds. The client waits this long between two checks after an error. */
const PULL_MS = 3000;

/** After this much silence on an open connection, in milliseconds, the consumer is created again. */
const SILENCE_MS = 4000;

/**
 * A follower counts as behind if it has had no sign for this long, in milliseconds, that everything was
 * delivered. The time is two heartbeats.
 */
const BEHIND_MS = 2 * HEARTBEAT_MS;

/** Number of messages in transit at once: enough to catch up at full speed. */
const BATCH = 1000;

/** Pause between two attempts to follow, in milliseconds. */
const RETRY_MS = 250;

/** How often a follower that is not ready checks whether any messages are left, in milliseconds. */
const READY_CHECK_MS = 250;

interface Followed<E> extends FollowOptions<E> {
  readonly stream: string;
  /** Converts a message to its event, or to poison. */
  readonly toRecorded: (message: JsMsg) => Recorded<E> | Poison;
}

/**
 * Follows a stream with an ordered consumer, and with a new one whenever that ends. The position is kept
 * here, so that after a restart of the server, no message is repeated and none is skipped.
 */
export function followStream<E>(connection: LogConnection, followed: Followed<E>): Following {
  const { js, jsm } = connection;
  const { stream, from, containing, onEvent, onPoison, toRecorded } = followed;
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
  let position = from && 'seq' in from ? from.seq - 1 : from ? undefined : 0;
  let pending = 0;
  let heardAt = 0;
  let currentAt = performance.now();
  let isReady = false;
  let stopped = false;
  let messages: ConsumerMessages | undefined;

  function setReady(): void {
    isReady = true;
    becomeReady();
  }

  function hand(recorded: Recorded<E> | Poison): void {
    try {
      if ('event' in recorded) onEvent(recorded);
      else onPoison?.(recorded);
    } catch {
      onPoison?.({ id: recorded.id, seq: recorded.seq, fault: 'unreadable' });
    }
  }

  function deliver(message: JsMsg): void {
    heardAt = performance.now();
    position = message.seq;
    if (!containing || containing.test(message.string())) hand(toRecorded(message));
    pending = message.info.pending;
    if (pending > 0) return;
    currentAt = heardAt;
    if (!isReady) setReady();
  }

  /**
   * Returns the sequence number for a time, because a consumer created for a time cannot be created again
   * after a restart.
   */
  async function startOf(time: number): Promise<number> {
    const consumer = await js.consumers.get(stream, {
      deliver_policy: DeliverPolicy.StartTime,
      opt_start_time: new Date(time).toISOString(),
    });
    const { delivered } = await consumer.info(true);
    await consumer.delete().catch(() => {});
    return delivered.stream_seq;
  }

  /**
   * Messages that are erased during the catch-up are never delivered, so that only the server knows the end.
   */
  async function checkReady(consumer: Consumer, signal: AbortSignal): Promise<void> {
    while (!isReady) {
      await sleep(READY_CHECK_MS, undefined, { signal });
      const { name } = await consumer.info(true);
      const info = await jsm.consumers.info(stream, name).catch(() => undefined);
      if (info?.num_pending === 0 && info.delivered.stream_seq <= (position ?? 0)) setReady();
    }
  }

  async function followOnce(): Promise<void> {
    if (position === undefined && from && 'time' in from) position = await startOf(from.time);
    const consumer = await js.consumers.get(stream, { opt_start_seq: (position ?? 0) + 1 });
    pending = (await consumer.info(true)).num_pending;
    if (pending === 0) setReady();
    messages = await consumer.consume({
      max_messages: BATCH,
      expires: PULL_MS,
      idle_heartbeat: HEARTBEAT_MS,
      callback: deliver,
    });
    const watch = watchSilence(messages);
    // The follower was stopped in the meantime, and nothing else would end this consumer.
    if (stopped) messages.stop();
    const ended = new AbortController();
    checkReady(consumer, ended.signal).catch(() => {});
    await messages.closed();
    ended.abort();
    clearInterval(watch);
    await consumer.delete().catch(() => {});
  }

  /**
   * The client notices on its own that its consumer is gone, but it uses the wall clock: if that clock was
   * set back, the client notices nothing until the clock has caught up.
   */
  function watchSilence(current: ConsumerMessages): NodeJS.Timeout {
    const listen = async () => {
      // The server sends a heartbeat when there is nothing else to send.
      for await (const { type } of current.status())
        if (type === 'heartbeat') currentAt = heardAt = performance.now();
    };
    listen().catch(() => {});
    heardAt = performance.now();
    return setInterval(() => {
      if (!connection.online()) heardAt = performance.now();
      if (performance.now() - heardAt > SILENCE_MS) current.stop();
    }, HEARTBEAT_MS);
  }

  async function run(): Promise<void> {
    while (!stopped) {
      await followOnce().catch(connection.noteOutage);
      if (!stopped) await sleep(RETRY_MS);
    }
  }

  const running = run();
  return {
    ready,
    lag: () => pending,
    isBehind: () => connection.online() && performance.now() - currentAt > BEHIND_MS,
    async stop() {
      stopped = true;
      messages?.stop();
      await running;
    },
  };
}
