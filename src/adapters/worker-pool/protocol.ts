import type { MessagePort } from 'node:worker_threads';
import type {
  AuthenticationPart,
  ContentPart,
  DnsAnswer,
  MailJob,
  RecordType,
} from '../../ports.ts';

/** What a worker is given. The buffer and the port are moved, not copied. */
export interface WorkerTask {
  readonly mail: Uint8Array<ArrayBuffer>;
  readonly job: MailJob;
  readonly port: MessagePort;
}

/** From the worker. `null`: that part broke. */
export type FromWorker =
  | { readonly kind: 'ask'; readonly id: number; readonly name: string; readonly type: RecordType }
  | { readonly kind: 'authentication'; readonly value: AuthenticationPart | null }
  | { readonly kind: 'content'; readonly value: ContentPart | null };

/** To the worker: it has no network of its own. */
export interface ToWorker {
  readonly id: number;
  readonly answer: DnsAnswer<unknown>;
}
