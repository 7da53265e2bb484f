import type { Static, TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';

/** Compiles a schema into a type guard, which returns whether a value has the shape of the schema. */
export function guard<S extends TSchema>(schema: S) {
  const checker = TypeCompiler.Compile(schema);
  return (value: unknown): value is Static<S> => checker.Check(value);
}
