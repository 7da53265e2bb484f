/** Provides the building blocks from which the lies of a chain node are made. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from 'viem';
import type { Fate } from '../../support/payments/rpc-proxy.ts';

/** A call in the form in which a node is asked to execute it. */
export interface Call {
  readonly to: Hex;
  readonly data: Hex;
}

/** Values that a lie may need. */
export interface LieContext {
  /** Transaction of an earlier payment that is on the chain. */
  readonly paidBefore: string;
  /** Number of the newest block before this payment. */
  readonly head: number;
  /** From 0 to 1, exclusive; the same in each run with one seed. */
  readonly random: () => number;
  /** Sends a call that it was shown, from an account of its own. */
  readonly send: (call: Call) => void;
}

/** Decides the fate of a request while a node lies. `undefined` lets it pass. */
export type NodeRule = (method: string, params: readonly unknown[]) => Fate | undefined;

export type NodeLie = (context: LieContext) => NodeRule;

export type Receipt = { readonly logs: readonly Log[]; readonly [name: string]: unknown };
export type Log = { readonly topics: readonly string[]; readonly [name: string]: unknown };

export const AUTHORIZATION_STATE = '0xe94a0102';
export const BALANCE_OF = '0x70a08231';
export const CANCELLED = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81';
export const USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';
export const word = (value: number | bigint) => `0x${value.toString(16).padStart(64, '0')}`;
export const quantity = (value: number) => `0x${Math.max(0, value).toString(16)}`;

/** A lie in every response to one method. */
export const method =
  (name: string, fate: Fate): NodeLie =>
  () =>
  (asked) =>
    asked === name ? fate : undefined;

export const receipts = (edit: (receipt: Receipt, context: LieContext) => unknown): NodeLie => {
  return (context) => (asked) =>
    asked === 'eth_getTransactionReceipt'
      ? { edit: (receipt: Receipt) => edit(receipt, context) }
      : undefined;
};

export const receiptLogs = (change: (log: Log) => unknown) =>
  receipts((receipt) => ({ ...receipt, logs: receipt.logs.map(change) }));

export const block = (
  edit: (block: { readonly timestamp: string; readonly number: string }) => object,
) =>
  method('eth_getBlockByNumber', {
    edit: (found: never) => ({ ...(found as object), ...edit(found) }),
  });

/** Matches calls of one function of the token. */
export const calls =
  (selector: string, fate: Fate): NodeLie =>
  () =>
  (asked, [call]) =>
    asked === 'eth_call' && JSON.stringify(call).includes(selector.slice(2)) ? fate : undefined;

/** Lies every other time. */
export const sometimes =
  (lie: NodeLie): NodeLie =>
  (context) => {
    const rule = lie(context);
    return (asked, params) => (context.random() < 0.5 ? rule(asked, params) : undefined);
  };

export const both =
  (...lies: readonly NodeLie[]): NodeLie =>
  (context) => {
    const rules = lies.map((lie) => lie(context));
    return (asked, params) => {
      for (const rule of rules) {
        const fate = rule(asked, params);
        if (fate) return fate;
      }
      return undefined;
    };
  };

export const all =
  (fate: Fate): NodeLie =>
  () =>
  () =>
    fate;

export const slow = (milliseconds: number): Fate => ({ meanwhile: () => sleep(milliseconds) });
export const hoursAway = (hours: number) =>
  block(({ timestamp }) => ({ timestamp: quantity(Number(timestamp) + hours * 3600) }));
export const unused = calls(AUTHORIZATION_STATE, { result: word(0) });
export const noLogs = method('eth_getLogs', { result: [] });
export const noReceipts = method('eth_getTransactionReceipt', { result: null });
export const swallowed = method('eth_sendRawTransaction', { result: `0x${'ab'.repeat(32)}` });
export const failed = (code: number, message: string): Fate => ({ error: { code, message } });
export const doneBut = (message: string): Fate => ({
  error: { code: -32000, message },
  isDone: true,
});
export const cancels = ({ topics: [first = '', ...rest], ...log }: Log) => ({
  ...log,
  topics: [first === USED ? CANCELLED : first, ...rest],
});

/** A node that has seen only this many blocks beyond the head before the payment. */
export const lagging =
  (blocks: (context: LieContext) => number): NodeLie =>
  (context) =>
  (asked, params) => {
    const seen = context.head + blocks(context);
    const at = (value: unknown) =>
      value === 'latest' || value === 'pending' || Number(value) > seen ? quantity(seen) : value;
    const hidden = (found: { readonly blockNumber?: string }) =>
      Number(found.blockNumber) > seen ? null : found;
    switch (asked) {
      case 'eth_getBlockByNumber':
        return { ask: [at(params[0]), false] };
      case 'eth_call':
      case 'eth_getTransactionCount':
      case 'eth_getBalance':
        return { ask: [params[0], at(params[1])] };
      case 'eth_getTransactionReceipt':
        return { edit: hidden as (found: never) => unknown };
      case 'eth_getLogs':
        return { edit: ((found: never[]) => found.filter(hidden as never)) as never };
      default:
        return undefined;
    }
  };

/** Repeats the same response to the same request. */
export const frozen: NodeLie = () => {
  const kept = new Map<string, unknown>();
  return (asked, params) => {
    const key = JSON.stringify([asked, params]);
    if (asked === 'eth_sendRawTransaction') return undefined;
    if (kept.has(key)) return { result: kept.get(key) };
    return { edit: (result: never) => kept.set(key, result) && result };
  };
};

/** A rule for requests that arrive only after a transaction was sent. */
export const onceSent =
  (lie: NodeLie): NodeLie =>
  (context) => {
    const rule = lie(context);
    let sent = false;
    return (asked, params) => {
      if (sent) return rule(asked, params);
      sent = asked === 'eth_sendRawTransaction';
      return undefined;
    };
  };
