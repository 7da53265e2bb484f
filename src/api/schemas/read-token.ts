import { Type } from '@sinclair/typebox';

/**
 * A token is opaque to its holder: whatever could be one is judged by its hash alone, so that a
 * mistyped one is "wrong" and only what cannot be a token is "malformed".
 */
export const readToken = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_-]{1,128}$',
    description,
    examples: ['3q2-7wABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijk'],
  });
