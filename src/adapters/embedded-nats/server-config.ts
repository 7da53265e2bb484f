/** What nats-server may use. Whatever is left out has the default below. */
export interface ServerLimits {
  /** Bytes of all streams together; above the sum of their own caps, below the real disk. */
  readonly maxFileStoreBytes?: number | undefined;
  /** Bytes of memory, above which it ends. */
  readonly memoryBytes?: number | undefined;
}

const GIB = 2 ** 30;

/** What a server of our own may store, unless set otherwise. */
export const STORE_BYTES = 10 * GIB;

/**
 * Memory of a server with so large a store: it keeps the subject of each message. Three flipped bits of a
 * block made one without a limit take 3.9 GiB in 16 s as it started.
 */
export const memoryOf = ({ maxFileStoreBytes = STORE_BYTES, memoryBytes }: ServerLimits): number =>
  memoryBytes ?? GIB + maxFileStoreBytes / 8;

interface Options {
  /** -1: the kernel's choice. */
  readonly port: number;
  readonly storeDir: string;
  readonly portsDir: string;
  readonly token: string;
  /** With the key that is in its environment: beside the store it would be of no use. */
  readonly encrypted?: boolean | undefined;
  readonly limits?: ServerLimits | undefined;
}

/**
 * The configuration file of an embedded nats-server: loopback, one token, and a sync of the disk
 * before every acknowledgement, so that a power cut loses nothing.
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
