/** Starts the inbound endpoint for tests, behind a real socket, and posts emails to it. */

import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createInbound } from '../../../src/actors/inbound/inbound.ts';
import type { RateLimits } from '../../../src/api/options.ts';
import { anApi, settings } from '../../api/harness.ts';
import { ADDRESS, MAIL, mailEnvironment } from './mail-environment.ts';
import { headerLines, providerHeaders } from './provider.ts';

export const TOKEN = 'a-secret-of-the-worker-0123456789';

/** The provider's header fields above an email. */
export const BLOCK = headerLines({ ...providerHeaders({ to: ADDRESS }) });
export const HANDED = BLOCK + MAIL;

export const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'message/rfc822',
  authorization: `Bearer ${TOKEN}`,
  'x-envelope-from': 'bounce@example.com',
  'x-envelope-to': ADDRESS,
};

interface Options {
  readonly environment?: Parameters<typeof mailEnvironment>[0];
  readonly rateLimits?: Partial<RateLimits>;
}

/** Starts a receiver of one test's email behind the provider's endpoint, on a real socket. */
export async function inboundEnvironment({ environment: options, rateLimits }: Options = {}) {
  const environment = await mailEnvironment(options);
  await environment.create();
  const { receive } = createInbound(environment.receiver, 'cloudflare');
  const { maxMessageBytes } = environment.settings;
  const api = await anApi({
    settings: { rateLimits: { ...settings().rateLimits, ...rateLimits } },
    options: { inbound: [{ receive, provider: 'cloudflare', token: TOKEN, maxMessageBytes }] },
  });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => api.app.close());
  const { port } = api.app.server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;

  return {
    ...environment,
    api,
    port,
    baseUrl,
    /** Returns the endpoint's response. A null header is left out. */
    async post(
      body: string | null = HANDED,
      changes: Readonly<Record<string, string | null>> = {},
    ) {
      const all = Object.entries({ ...HEADERS, ...changes });
      const headers = Object.fromEntries(
        all.filter((one): one is [string, string] => one[1] !== null),
      );
      const answer = await fetch(`${baseUrl}/inbound/cloudflare`, {
        method: 'POST',
        headers,
        ...(body !== null && { body: Buffer.from(body, 'latin1') }),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
    },
  };
}

export type InboundEnvironment = Awaited<ReturnType<typeof inboundEnvironment>>;
