/** Tests that errors printed by commands reveal no secret, and name wrong options. */

import { expect, test } from 'vitest';
import { accountTransfers } from '../../src/adapters/chain/account-transfers.ts';
import { openRpc } from '../../src/adapters/chain/rpc.ts';
import { printable, readOptions } from '../../src/config/command-line.ts';
import { freePorts } from '../environment/free-ports.ts';

const [port] = await freePorts(1);
/** A URL that may not be printed, because of its path and its query. */
const rpcUrl = `http://127.0.0.1:${port}/canarypath?x=canaryquery`;
const options = { rpcUrl, network: 'eip155:8453' };
const account = `0x${'ca'.repeat(20)}`;
const transfers = accountTransfers(options, account, account);

const errorOf = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return error;
  }
};

test.each([
  ['of a node', () => openRpc(options).getBlock(), 'ECONNREFUSED'],
  ['of a fetch', () => fetch(`${rpcUrl}canary`), 'ECONNREFUSED'],
  ['of an answer that is no JSON', () => JSON.parse('canary'), 'SyntaxError'],
  ['of Node.js', () => new URL('canary'), 'ERR_INVALID_URL'],
])(
  'the kind and the place of a library’s error are printed, but not its text: %s',
  async (_, ask, kind) => {
    const printed = printable(await errorOf(ask));
    expect(printed.split('\n    ')[0]).toBe(kind);
    expect(printed).not.toMatch(/canary|eth_/);
  },
);

test.each([
  [
    'ours',
    async () => {
      throw new Error('The log is full.');
    },
    'The log is full.',
  ],
  ['the head', () => transfers.head(), "The chain's RPC did not respond (ECONNREFUSED)."],
  ['a balance', () => transfers.balance(1), "The chain's RPC did not respond (ECONNREFUSED)."],
  ['transfers', () => transfers.between(1, 2), "The chain's RPC did not respond (ECONNREFUSED)."],
])('our own text is printed: %s', async (_, work, text) => {
  expect(printable(await errorOf(work))).toBe(text);
});

test.each([
  [['--wrong'], "Unknown option '--wrong'. See --help."],
  [['more'], "Unexpected argument 'more'. See --help."],
  [['--check=no'], "Option '--check' does not take an argument. See --help."],
])('%j is reported as impossible to follow', async (args, text) => {
  const read = () => readOptions(args, { check: { type: 'boolean' } });
  expect(printable(await errorOf(read))).toBe(text);
});
