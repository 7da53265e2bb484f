import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { Instant } from '../envelope.ts';
import { TestId } from '../ids.ts';
import { Authentication } from './authentication.ts';
import { Cloudflare, Connection, TransportPolicy } from './connection.ts';
import { Links, Message } from './message.ts';
import { list, words } from './shapes.ts';

/** Version of the report's layout. A new key does not change it; a changed meaning does. */
export const SCHEMA_VERSION = '1';

export const Grade = words('A', 'B', 'C', 'D', 'F');
export type Grade = Static<typeof Grade>;

export const Severity = words('pass', 'info', 'warn', 'fail');
export type Severity = Static<typeof Severity>;

/** One result of one check. */
export const Finding = Type.Object({
  id: Type.String(),
  area: Type.String(),
  severity: Severity,
  title: Type.String(),
  detail: Type.Optional(Type.String()),
  fix: Type.Optional(Type.String()),
});
export type Finding = Static<typeof Finding>;

/** Something to do, with the record or header to publish. */
export const Fix = Type.Object({ id: Type.String(), title: Type.String(), fix: Type.String() });
export type Fix = Static<typeof Fix>;

/** The body of a paid answer. */
export const Report = Type.Object({
  schema_version: Type.String(),
  test_id: TestId,
  received_at: Instant,
  analyzed_at: Type.Optional(Instant),
  score: Type.Integer({ minimum: 0, maximum: 100 }),
  grade: Grade,
  /** To do first: at most three, from fail and warn. */
  top_fixes: Type.Array(Fix, { maxItems: 3 }),
  /** Improvements that do not lower the score. */
  suggestions: list(Fix),
  message: Message,
  connection: Connection,
  cloudflare: Type.Optional(Cloudflare),
  authentication: Authentication,
  transport_policy: TransportPolicy,
  links: Links,
  findings: list(Finding, 200),
  notes: list(Type.String()),
  partial_errors: Type.Optional(list(Type.String())),
});
export type Report = Static<typeof Report>;

const checker = TypeCompiler.Compile(Report);

/** Whether `value` is a report of this layout. */
export const isReport = (value: unknown): value is Report => checker.Check(value);
