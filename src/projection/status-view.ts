import type { StatusView } from '../domain/status-view.ts';
import { expiry } from './deadlines.ts';
import type { Row } from './row.ts';

/** What may be shown of a row. */
export function toStatusView(row: Row): StatusView {
  const { seq, status, refused, context } = row;
  return {
    seq,
    status,
    refused,
    send_before: context.sendBefore,
    received_at: context.receivedAt,
    expires_at: new Date(expiry(row)).toISOString(),
  };
}
