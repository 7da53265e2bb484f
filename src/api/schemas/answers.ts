/** Builds the descriptions of HTTP responses, of errors and of their headers for the OpenAPI document. */

import { type TSchema, Type } from '@sinclair/typebox';
import { type ErrorCode, errors } from '../../domain/errors.ts';

/** Refers to a schema in `components` of the OpenAPI document by its `$id`. */
export const ref = (id: string) => Type.Unsafe({ $ref: `${id}#` });

/** Description of a response header for the OpenAPI document. */
export interface HeaderDoc {
  readonly type: 'string' | 'integer';
  readonly description: string;
  readonly examples: readonly (string | number)[];
}

export const RETRY_AFTER = {
  'Retry-After': {
    type: 'integer',
    description: 'Seconds to wait before you try again.',
    examples: [5],
  },
} as const satisfies Record<string, HeaderDoc>;

/**
 * Headers that show what remains of a rate limit, as in draft-ietf-httpapi-ratelimit-headers-10, and also
 * with the names of drafts before 07.
 */
export const RATE_LIMITS = {
  'RateLimit-Policy': {
    type: 'string',
    description: 'The limit: `q` requests in `w` seconds.',
    examples: ['"minute";q=600;w=60'],
  },
  RateLimit: {
    type: 'string',
    description: 'What remains of the limit: `r` requests; more in `t` seconds.',
    examples: ['"minute";r=599;t=60'],
  },
  'RateLimit-Limit': {
    type: 'integer',
    description: 'Same as `q` in `RateLimit-Policy`.',
    examples: [600],
  },
  'RateLimit-Remaining': {
    type: 'integer',
    description: 'Same as `r` in `RateLimit`.',
    examples: [599],
  },
  'RateLimit-Reset': {
    type: 'integer',
    description: 'Same as `t` in `RateLimit`.',
    examples: [60],
  },
} as const satisfies Record<string, HeaderDoc>;

/** Describes one response: its meaning and its media types. */
export const answer = (
  description: string,
  content: Readonly<Record<string, TSchema>>,
  headers: Readonly<Record<string, HeaderDoc>> = {},
) => ({
  description,
  ...(Object.keys(headers).length > 0 && { headers }),
  content: Object.fromEntries(
    Object.entries(content).map(([mediaType, schema]) => [mediaType, { schema }]),
  ),
});

/** Describes an error response. Its description lists the codes that share the status. */
export const problem = (
  description: string,
  headers: Readonly<Record<string, HeaderDoc>> = {},
  id = 'Problem',
) => answer(description, { 'application/problem+json': ref(id) }, headers);

const WAITS = [429, 502, 503];

/** Returns the error responses of a route, one for each status of its codes. */
export function problems(...codes: readonly ErrorCode[]): Record<number, object> {
  const answers = Map.groupBy(codes, (code) => errors[code].status)
    .entries()
    .map(([status, same]) => {
      const description = same.map((code) => `\`${code}\`: ${errors[code].title}`).join(' ');
      return [status, problem(description, WAITS.includes(status) ? RETRY_AFTER : {})] as const;
    });
  return Object.fromEntries(answers);
}
