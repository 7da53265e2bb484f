import type { LogConnection } from './connection.ts';
import { codeOf, codes } from './outage.ts';
import { infoOf } from './read.ts';

/** Between two looks, in milliseconds. */
const EVERY_MS = 5000;

/** Looks that agree before a stream counts as not the one: a new leader may lag for a moment. */
const DOUBT = 2;

/** Looks that agree before that is final. */
const FINAL = 4;

/** What distinguishes a stream from another of its name, and from an older copy of itself. */
export interface StreamFacts {
  readonly created: string;
  /** The highest sequence that was ever seen in it. */
  readonly lastSeq: number;
}

/** How full a stream is; at the limit it takes nothing more. */
export interface StreamSize {
  readonly stream: string;
  readonly bytes: number;
  readonly maxBytes: number;
  /** When its oldest message was stored, in milliseconds since 1970; null: it is empty. */
  readonly firstAt: number | null;
}

/** `another`: deleted and created again; `older`: its end is before what was seen of it. */
export type Loss = 'absent' | 'another' | 'older';

/** Why a stream is not the one that is known; `undefined`: it is. */
export function lossOf(known: StreamFacts, found: StreamFacts | undefined): Loss | undefined {
  if (!found) return 'absent';
  if (found.created !== known.created) return 'another';
  return found.lastSeq < known.lastSeq ? 'older' : undefined;
}

interface Options {
  readonly streams: readonly string[];
  /** Those whose size is wanted alone. */
  readonly sized?: readonly string[];
  /** Called once: what was folded of that stream is no truth any more. */
  readonly onLost: (stream: string, loss: Loss) => void;
  readonly everyMs?: number;
}

/**
 * Notices a log that was deleted, replaced by another or by an older copy while it is followed: an
 * ordered consumer goes on behind its last sequence, and would never say so.
 *
 * @throws when a stream cannot be seen at the beginning
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
  // No answer says nothing: the last one holds.
  const lookAtAll = () =>
    Promise.allSettled([...watched.map((one) => one.lookAgain()), ...sized.map(size)]);
  const timer = setInterval(() => void lookAtAll(), everyMs);
  return {
    /** Whether what was folded is of the streams that are there. */
    isSame: () => watched.every((one) => one.isSame()),
    /** As they were at the last look. */
    sizes: () => watched.map((one) => one.size()).filter((size) => size !== undefined),
    otherSizes: () => [...sizes.values()],
    stop: () => clearInterval(timer),
  };
}
