/** Provides the oldest and newest clients of MCP and x402 that the service supports. */

/**
 * The clients that people use, in the oldest and newest version that we promise to serve, of MCP and of x402.
 */
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { x402Client as NewestWallet } from '@x402/core/client';
import { ExactEvmScheme as NewestScheme } from '@x402/evm';
import { wrapFetchWithPayment as newestFetch } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { ExactEvmScheme as OldestScheme } from 'x402-evm-oldest';
import { x402Client as OldestWallet, wrapFetchWithPayment as oldestFetch } from 'x402-fetch-oldest';

/** A tool's response, as every client returns it. */
export interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The part of both clients that is used. Their types differ, but what they do here does not. */
interface McpClient {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly ListedTool[] }>;
  callTool(call: object): Promise<unknown>;
}

interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly outputSchema?: object;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface StdioServer {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

const ME = { name: 'test', version: '1' };

/** Create MCP clients, by the major version of the SDK. */
export const mcpClients = {
  'MCP SDK v1': (server: URL | StdioServer) =>
    connect(new ClientV1(ME), server instanceof URL ? new HttpV1(server) : new StdioV1(server)),
  'MCP SDK v2': (server: URL | StdioServer) =>
    connect(new ClientV2(ME), server instanceof URL ? new HttpV2(server) : new StdioV2(server)),
};

/**
 * Lists the tools first, as every agent does. From then on, some clients check responses against the list.
 */
async function connect(made: unknown, transport: unknown) {
  const client = made as McpClient;
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    tools,
    call: (name: string, args: object = {}, _meta?: object) =>
      client.callTool({ name, arguments: args, ...(_meta && { _meta }) }) as Promise<ToolAnswer>,
    close: () => client.close(),
  };
}

export type Connected = Awaited<ReturnType<typeof connect>>;

/** A wallet of x402. */
interface Wallet {
  /** Signs what a challenge requires. */
  sign(challenge: unknown): Promise<object>;
  /** A fetch that pays. */
  readonly fetch: typeof globalThis.fetch;
}

const NETWORK = 'eip155:8453';

/** The part that both versions have, although their types differ. */
interface Signer {
  createPaymentPayload(challenge: never): Promise<object>;
}

const toWallet = (signer: Signer, pay: unknown): Wallet => ({
  sign: (challenge) => signer.createPaymentPayload(challenge as never),
  fetch: pay as typeof globalThis.fetch,
});

/** Create wallets, by the version of x402's packages. */
export const wallets = {
  'x402 2.0'(key: `0x${string}`): Wallet {
    const scheme = new OldestScheme(privateKeyToAccount(key));
    const signer = new OldestWallet().register(NETWORK, scheme);
    return toWallet(signer, oldestFetch(fetch, signer));
  },
  'x402 2.27'(key: `0x${string}`): Wallet {
    const scheme = new NewestScheme(privateKeyToAccount(key));
    const signer = new NewestWallet().register(NETWORK, scheme);
    return toWallet(signer, newestFetch(fetch, signer));
  },
};
