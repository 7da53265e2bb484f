/** Tests how the API chooses between HTML and JSON, and how it reports limits and errors. */

import { expect, test } from 'vitest';
import { anApi } from './harness.ts';

interface Answer {
  readonly content: {
    'application/problem+json': { readonly example?: { readonly code: string } };
  };
}

test.each([
  ['text/html;q=0.5, application/json', 'json'],
  ['application/json;q=0.2, text/html', 'html'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'html'],
  ['application/json, text/html', 'json'],
  ['text/html, application/json', 'html'],
  ['text/*, application/json;q=0.9', 'html'],
  ['text/html;q=0, */*', 'json'],
  ['text/html;q=0', 'json'],
  ['*/*', 'json'],
  ['', 'json'],
])('%j is answered with %s', async (accept, kind) => {
  const { app } = await anApi();
  const { headers } = await app.inject({ url: '/findings', headers: { accept } });
  expect(headers['content-type']).toContain(kind);
});

test('the errors are a page, and a list for a program that asks for one', async () => {
  const { app } = await anApi();
  const page = await app.inject({ url: '/errors', headers: { accept: '*/*' } });
  expect(page.headers['content-type']).toContain('html');
  const list = await app.inject({ url: '/errors', headers: { accept: 'application/json' } });
  expect(list.json().errors).toContainEqual({
    code: 'test_not_found',
    status: 404,
    title: 'No test has this id, or it was deleted.',
    type: 'https://mailtest.example/errors#test_not_found',
  });
});

test('the rest of a limit is reported as in the current draft, and as in the previous one', async () => {
  const rateLimits = { create: 0, wrongToken: 0, unknownId: 0, default: 9 };
  const { app } = await anApi({ settings: { rateLimits } });
  const { headers } = await app.inject('/findings');
  expect(headers['ratelimit-limit']).toBe('9');
  const {
    'ratelimit-limit': limit,
    'ratelimit-remaining': left,
    'ratelimit-reset': reset,
  } = headers;
  expect(headers['ratelimit-policy']).toBe(`"minute";q=${limit};w=60`);
  expect(headers.ratelimit).toBe(`"minute";r=${left};t=${reset}`);
});

test('every error in the API document has an example, and every limit has its headers', async () => {
  const { app } = await anApi();
  const { components, paths } = (await app.inject('/openapi.json')).json();
  const { other: _, ...shared } = components.responses;
  for (const [code, answer] of Object.entries(shared) as [string, Answer][])
    expect([code, answer.content['application/problem+json'].example?.code]).toEqual([code, code]);
  expect(Object.keys(paths['/v1/tests'].post.responses['201'].headers)).toEqual(
    expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'RateLimit-Limit']),
  );
  expect(Object.keys(shared.rate_limited.headers)).toContain('RateLimit-Policy');
});
