import type { MessagePort } from 'node:worker_threads';
import type { ErrorDescription } from '../../domain/describe-error.ts';
import type { DnsAnswer, RecordType } from '../../ports/dns.ts';
import type { AuthenticationPart, ContentPart, MailJob } from '../../ports/reading.ts';

/** The input of a worker. The buffer and the port are moved, not copied. */
export interface WorkerTask {
  readonly mail: Uint8Array<ArrayBuffer>;
  readonly job: MailJob;
  readonly port: MessagePort;
}

/** From the worker. `null`: that part broke. */
export type FromWorker =
  | { readonly kind: 'begun' }
  | { readonly kind: 'ask'; readonly id: number; readonly name: string; readonly type: RecordType }
  | { readonly kind: 'defect'; readonly value: Defect }
  | { readonly kind: 'authentication'; readonly value: AuthenticationPart | null }
  | { readonly kind: 'content'; readonly value: ContentPart | null };

/** An error of ours, and the part of the reading that it broke. */
export interface Defect extends ErrorDescription {
  readonly part: 'authentication' | 'content';
}

/** To the worker: it has no network of its own. */
export interface ToWorker {
  readonly id: number;
  readonly answer: DnsAnswer<unknown>;
}
