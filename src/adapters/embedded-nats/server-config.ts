/**
 * Makes the configuration of our own nats-server, with its limits on storage, and computes its memory limit.
 */

/** Limits of nats-server. A limit that is left out has the default below. */
export interface ServerLimits {
  /**
   * Maximum size of all streams together, in bytes: more than the sum of their own limits, and less than the
   * disk.
   */
  readonly maxFileStoreBytes?: number | undefined;
  /** Memory limit in bytes. A server that needs more than that ends. */
  readonly memoryBytes?: number | undefined;
}

const GIB = 2 ** 30;

/** Default limit for all streams of our own server together, in bytes. */
export const STORE_BYTES = 10 * GIB;

/**
 * Returns the memory limit for a server with a store of this size, because the server keeps the subject of
 * each message in memory. Without a limit, three flipped bits in one block made a server take 3.9 GiB in 16 s
 * while it started.
 */
export const memoryOf = ({ maxFileStoreBytes = STORE_BYTES, memoryBytes }: ServerLimits): number =>
  memoryBytes ?? GIB + maxFileStoreBytes / 8;

interface Options {
  /** The port to listen on; -1 leaves the choice to the kernel. */
  readonly port: number;
  readonly storeDir: string;
  readonly portsDir: string;
  readonly token: string;
  /**
   * True if the store is encrypted with the key in the server's environment. A key that is kept next to the
   * store would be useless.
   */
  readonly encrypted?: boolean | undefined;
  readonly limits?: ServerLimits | undefined;
}

/**
 * Returns the configuration file of an embedded nats-server: loopback, one token, and a disk sync before
 * every acknowledgement, so that a power cut loses nothing.
 */
export const serverConfig = ({
  port,
  storeDir,
  portsDir,
  token,
  encrypted = false,
  limits = {},
}: Options): string => `\
listen: "127.0.0.1:${port}"
ports_file_dir: ${JSON.stringify(portsDir)}
logtime: false
max_payload: 1MB
max_pending: 64MB
write_deadline: "10s"
lame_duck_duration: "30s"
authorization { token: ${JSON.stringify(token)} }
jetstream {
  store_dir: ${JSON.stringify(storeDir)}
  max_file_store: ${limits.maxFileStoreBytes ?? STORE_BYTES}
  max_memory_store: ${GIB / 4}
  sync_interval: always${encrypted ? `\n  cipher: aes\n  key: $NATS_STORE_KEY` : ''}
}
`;
