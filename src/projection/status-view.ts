import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { Instant } from '../domain/envelope.ts';
import { expiry } from './deadlines.ts';
import type { Row } from './row.ts';

const nullable = <const S extends ReturnType<typeof Type.String>>(schema: S) =>
  Type.Union([schema, Type.Null()]);

/** A test's line in the bucket `status`: what may be shown of it, no hash and no domain. */
const StatusView = Type.Object({
  /** Of the last event folded. */
  seq: Type.Integer({ minimum: 1 }),
  status: Type.Union([
    Type.Literal('waiting'),
    Type.Literal('processing'),
    Type.Literal('ready'),
    Type.Literal('rejected_or_not_received'),
    Type.Literal('analysis_failed'),
  ]),
  refused: Type.Boolean(),
  send_before: Instant,
  received_at: nullable(Instant),
  /** When the test is deleted. */
  expires_at: Instant,
});
export type StatusView = Static<typeof StatusView>;

const checker = TypeCompiler.Compile(StatusView);

/** Whether `value` is a line of this shape. */
export const isStatusView = (value: unknown): value is StatusView => checker.Check(value);

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
