/**
 * Describes the arguments of MCP tools, and tolerates the deviations that models make when they send them.
 */

import { fromJsonSchema, type JsonSchemaType } from '@modelcontextprotocol/server';
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { Errors, type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { Convert } from '@sinclair/typebox/value';

/** The arguments that a tool accepts, as clients see them and as the tool reads them. */
export interface ToolInput<T extends TObject> {
  readonly listed: ReturnType<typeof fromJsonSchema<Record<string, unknown>>>;
  /** Reads what a client sent, or says in one sentence which argument is wrong. */
  readonly read: (sent: unknown) => { readonly args: Static<T> } | { readonly problem: string };
}

/**
 * Describes the arguments of a tool. For an argument that they leave out, models send `null` or an empty
 * text, and they write numbers as text. Both are read as intended.
 */
export function toolInput<T extends TObject>(schema: T): ToolInput<T> {
  // A copy does not have the library's symbols, which JSON cannot represent.
  const plain = JSON.parse(JSON.stringify(schema)) as JsonSchemaType;
  return {
    // Every input is accepted here and checked later, because the library's own refusal has no code that a
    // program could act on.
    listed: fromJsonSchema(plain, {
      getValidator: () => (input) => ({
        valid: true,
        data: input as never,
        errorMessage: undefined,
      }),
    }),
    read(sent) {
      const args = Convert(schema, withoutEmpty(schema, sent));
      const [error] = Errors(schema, args);
      return error ? { problem: describe(error) } : { args: args as Static<T> };
    },
  };
}

/** Removes optional arguments that are null or empty. */
function withoutEmpty({ required = [] }: TObject, sent: unknown): object {
  const given = Object.entries(sent ?? {}).filter(
    ([name, value]) => required.includes(name) || (value !== null && value !== ''),
  );
  return Object.fromEntries(given);
}

/** Says which argument is wrong and what is expected, but never its value, which may be a token. */
function describe({ type, path, schema, message }: ValueError): string {
  const name = path.slice(1).replaceAll('/', '.');
  if (type === ValueErrorType.ObjectRequiredProperty) return `The argument ${name} is missing.`;
  const choices = ((schema.anyOf ?? []) as TSchema[]).map(({ const: value }) => `"${value}"`);
  const expected = choices.length > 0 ? `Expected ${choices.join(' or ')}` : message;
  return `The argument ${name} is wrong: ${expected}.`;
}
