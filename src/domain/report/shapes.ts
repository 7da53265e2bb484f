import { type TLiteral, type TSchema, type TUnion, Type } from '@sinclair/typebox';

/** `null`: looked for, and absent. A key that is missing was not looked for, or is not known. */
export const nullable = <const S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** A set of words, as a union of literals: what `Value` and `TypeCompiler` understand. */
export const words = <const W extends readonly string[]>(...all: W) =>
  Type.Union(all.map((word) => Type.Literal(word))) as unknown as TUnion<{
    -readonly [K in keyof W]: TLiteral<W[K]>;
  }>;

/** Longest list in a report, in entries; what is cut is said in `notes`. */
const MAX_ITEMS = 100;

/** DNS records as published, so long as they fit: 4 KiB each. */
export const Published = Type.String({ maxLength: 4096 });

/** A domain name; empty where the mail has none. */
export const Domain = Type.String({ maxLength: 255 });

export const Count = Type.Integer({ minimum: 0 });

export const list = <const S extends TSchema>(schema: S, maxItems = MAX_ITEMS) =>
  Type.Array(schema, { maxItems });
