/**
 * Detects that a stream was deleted, or replaced by another or by an older copy of itself, and reads how full
 * the streams are.
 */

import type { LogConnection } from './connection.ts';
import { codeOf, codes } from './outage.ts';
import { infoOf } from './read.ts';

/** Pause between two checks, in milliseconds. */
const EVERY_MS = 5000;

/**
 * Number of consecutive checks that must find a loss before a stream counts as lost or replaced: a new leader
 * may lag briefly.
 */
const DOUBT = 2;

/** Number of consecutive checks that must find a loss before the loss is final and reported. */
const FINAL = 4;

/**
 * Facts that distinguish a stream from another stream of the same name, and from an older copy of itself.
 */
export interface StreamFacts {
  readonly created: string;
  /** The highest sequence number ever seen in the stream. */
  readonly lastSeq: number;
}

/** How full a stream is. A stream that has reached its limit accepts nothing more. */
export interface StreamSize {
  readonly stream: string;
  readonly bytes: number;
  readonly maxBytes: number;
  /** When the oldest message was stored, in milliseconds since 1970; null if the stream is empty. */
  readonly firstAt: number | null;
}

/**
 * How a stream was lost. `another`: it was deleted and created again; `older`: it ends before a message that
 * was seen in it.
 */
export type Loss = 'absent' | 'another' | 'older';

/** Returns why a stream is not the known one, or `undefined` if it is. */
export function lossOf(known: StreamFacts, found: StreamFacts | undefined): Loss | undefined {
  if (!found) return 'absent';
  if (found.created !== known.created) return 'another';
  return found.lastSeq < known.lastSeq ? 'older' : undefined;
}

interface Options {
  readonly streams: readonly string[];
  /** Streams of which only the size is needed. */
  readonly sized?: readonly string[];
  /**
   * Called once for each stream that is lost: the state that was folded from that stream is no longer true.
   */
  readonly onLost: (stream: string, loss: Loss) => void;
  readonly everyMs?: number;
}

/**
 * Detects that a log was deleted, or replaced by another or by an older copy, while it is followed. An
 * ordered consumer would continue after its last sequence number and never say so.
 *
 * @throws if a stream cannot be seen at the beginning
 */
export async function watchStreams(connection: LogConnection, options: Options) {
  const { streams, sized = [], onLost, everyMs = EVERY_MS } = options;

  async function look(stream: string) {
    try {
      const { created, state, config } = await infoOf(connection.jsm, stream);
      const size: StreamSize = {
        stream,
        bytes: state.bytes,
        maxBytes: config.max_bytes,
        firstAt: state.messages > 0 ? Date.parse(String(state.first_ts)) : null,
      };
      return { created: String(created), lastSeq: state.last_seq, size };
    } catch (error) {
      if (codeOf(error) === codes.streamNotFound) return undefined;
      connection.noteOutage(error);
      throw error;
    }
  }

  async function watch(stream: string) {
    let known = await connection.reachAtStart(stream, () => look(stream));
    let losses = 0;
    return {
      isSame: () => losses < DOUBT,
      size: () => known?.size,
      async lookAgain() {
        const found = await look(stream);
        const loss = known && lossOf(known, found);
        losses = loss ? losses + 1 : 0;
        if (!loss) known = found;
        else if (losses === FINAL) onLost(stream, loss);
      },
    };
  }

  const watched = await Promise.all(streams.map(watch));
  const sizes = new Map<string, StreamSize>();
  const size = async (stream: string) => {
    const found = await look(stream);
    if (found) sizes.set(stream, found.size);
  };
  // A failed check says nothing: the last result remains valid.
  const lookAtAll = () =>
    Promise.allSettled([...watched.map((one) => one.lookAgain()), ...sized.map(size)]);
  const timer = setInterval(() => void lookAtAll(), everyMs);
  return {
    /** Returns whether the folded state comes from the streams that exist now. */
    isSame: () => watched.every((one) => one.isSame()),
    /** Returns the sizes that the last check found. */
    sizes: () => watched.map((one) => one.size()).filter((size) => size !== undefined),
    otherSizes: () => [...sizes.values()],
    stop: () => clearInterval(timer),
  };
}
