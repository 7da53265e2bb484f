import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from 'viem';
import type { Fate } from '../../../support/payments/rpc-proxy.ts';

/** As a node is asked to run it. */
interface Call {
  readonly to: Hex;
  readonly data: Hex;
}

/** What a lie may need to know. */
export interface LieContext {
  /** Transaction of an earlier payment that is on the chain. */
  readonly paidBefore: string;
  /** Number of the newest block before this payment. */
  readonly head: number;
  /** From 0 to 1, exclusive; the same in each run of one seed. */
  readonly random: () => number;
  /** Sends a call that it was shown, from an account of its own. */
  readonly send: (call: Call) => void;
}

/** What becomes of a request while a node lies; `undefined`: it passes. */
export type NodeRule = (method: string, params: readonly unknown[]) => Fate | undefined;

export interface NodeLie {
  readonly name: string;
  /** It fits together: only a second node can tell, so this one is told with a second node. */
  readonly isConsistent?: boolean;
  readonly lie: (context: LieContext) => NodeRule;
}

type Receipt = { readonly logs: readonly Log[]; readonly [name: string]: unknown };
type Log = { readonly topics: readonly string[]; readonly [name: string]: unknown };

const AUTHORIZATION_STATE = '0xe94a0102';
const BALANCE_OF = '0x70a08231';
const CANCELLED = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81';
const USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';
const word = (value: number | bigint) => `0x${value.toString(16).padStart(64, '0')}`;
const quantity = (value: number) => `0x${Math.max(0, value).toString(16)}`;

/** One method lies always. */
const method =
  (name: string, fate: Fate): NodeLie['lie'] =>
  () =>
  (asked) =>
    asked === name ? fate : undefined;

const receipts = (edit: (receipt: Receipt, context: LieContext) => unknown): NodeLie['lie'] => {
  return (context) => (asked) =>
    asked === 'eth_getTransactionReceipt'
      ? { edit: (receipt: Receipt) => edit(receipt, context) }
      : undefined;
};

const receiptLogs = (change: (log: Log) => unknown) =>
  receipts((receipt) => ({ ...receipt, logs: receipt.logs.map(change) }));

const block = (edit: (block: { readonly timestamp: string; readonly number: string }) => object) =>
  method('eth_getBlockByNumber', {
    edit: (found: never) => ({ ...(found as object), ...edit(found) }),
  });

/** Calls of one function of the token. */
const calls =
  (selector: string, fate: Fate): NodeLie['lie'] =>
  () =>
  (asked, [call]) =>
    asked === 'eth_call' && JSON.stringify(call).includes(selector.slice(2)) ? fate : undefined;

/** Every other time. */
const sometimes =
  (lie: NodeLie['lie']): NodeLie['lie'] =>
  (context) => {
    const rule = lie(context);
    return (asked, params) => (context.random() < 0.5 ? rule(asked, params) : undefined);
  };

const both =
  (...lies: readonly NodeLie['lie'][]): NodeLie['lie'] =>
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

const all =
  (fate: Fate): NodeLie['lie'] =>
  () =>
  () =>
    fate;

const slow = (milliseconds: number): Fate => ({ meanwhile: () => sleep(milliseconds) });
const hoursAway = (hours: number) =>
  block(({ timestamp }) => ({ timestamp: quantity(Number(timestamp) + hours * 3600) }));
const unused = calls(AUTHORIZATION_STATE, { result: word(0) });
const noLogs = method('eth_getLogs', { result: [] });
const noReceipts = method('eth_getTransactionReceipt', { result: null });
const swallowed = method('eth_sendRawTransaction', { result: `0x${'ab'.repeat(32)}` });
const failed = (code: number, message: string): Fate => ({ error: { code, message } });
const doneBut = (message: string): Fate => ({ error: { code: -32000, message }, isDone: true });
const cancels = ({ topics: [first = '', ...rest], ...log }: Log) => ({
  ...log,
  topics: [first === USED ? CANCELLED : first, ...rest],
});

/** A node that has got so many blocks beyond the head before the payment. */
const lagging =
  (blocks: (context: LieContext) => number): NodeLie['lie'] =>
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

/** The same answer again to the same request. */
const frozen: NodeLie['lie'] = () => {
  const kept = new Map<string, unknown>();
  return (asked, params) => {
    const key = JSON.stringify([asked, params]);
    if (asked === 'eth_sendRawTransaction') return undefined;
    if (kept.has(key)) return { result: kept.get(key) };
    return { edit: (result: never) => kept.set(key, result) && result };
  };
};

/** A rule for requests that arrive only after a transaction was sent. */
const onceSent =
  (lie: NodeLie['lie']): NodeLie['lie'] =>
  (context) => {
    const rule = lie(context);
    let sent = false;
    return (asked, params) => {
      if (sent) return rule(asked, params);
      sent = asked === 'eth_sendRawTransaction';
      return undefined;
    };
  };

export const nodeLies: readonly NodeLie[] = Object.entries<NodeLie['lie']>({
  'receipts that failed, without logs': receipts((one) => ({ ...one, status: '0x0', logs: [] })),
  'receipts that failed, with logs': receipts((one) => ({ ...one, status: '0x0' })),
  'receipts that failed, every other time': sometimes(
    receipts((one) => ({ ...one, status: '0x0', logs: [] })),
  ),
  'receipts without logs': receipts((one) => ({ ...one, logs: [] })),
  'no receipts': noReceipts,
  'no receipts, every other time': sometimes(noReceipts),
  'receipts of an earlier payment': (context) => (asked) =>
    asked === 'eth_getTransactionReceipt' ? { ask: [context.paidBefore] } : undefined,
  'receipts of another token': receiptLogs((log) => ({ ...log, address: `0x${'c'.repeat(40)}` })),
  'receipts of another nonce': receiptLogs(({ topics, ...log }) => ({
    ...log,
    topics: topics.map((topic) =>
      topic === topics[2] && !topic.startsWith('0x00000000') ? word(7) : topic,
    ),
  })),
  'receipts of a smaller sum': receiptLogs((log) =>
    log.data === '0x' ? log : { ...log, data: word(1) },
  ),
  'receipts of another payee': receiptLogs(({ topics, ...log }) => ({
    ...log,
    topics: topics.map((topic, index) => (index === 2 ? word(9) : topic)),
  })),
  'receipts of a block to come': receipts((one) => ({ ...one, blockNumber: quantity(99_999_999) })),
  'receipts with the order of logs reversed': receipts((one) => ({
    ...one,
    logs: [...one.logs].reverse(),
  })),
  'receipts of a cancellation': receiptLogs(cancels),
  'an authorization that is never used': unused,
  'an authorization that is never used, without logs': both(unused, noLogs),
  'an authorization that is always used': calls(AUTHORIZATION_STATE, { result: word(1) }),
  'an authorization that is used every other time': sometimes(
    calls(AUTHORIZATION_STATE, { result: word(1) }),
  ),
  'a state that nobody knows': calls(AUTHORIZATION_STATE, failed(-32000, 'header not found')),
  'a state that is no word': calls(AUTHORIZATION_STATE, { result: '0x' }),
  'no logs': noLogs,
  'no logs, every other time': sometimes(noLogs),
  'logs that are refused': method('eth_getLogs', failed(-32005, 'query returned more than 10000')),
  'logs of a cancellation': method('eth_getLogs', {
    edit: ((logs: Log[]) => logs.map(cancels)) as never,
  }),
  'logs of an unknown transaction': method('eth_getLogs', {
    edit: ((logs: Log[]) => logs.map((log) => ({ ...log, transactionHash: word(5) }))) as never,
  }),
  'blocks an hour ahead': hoursAway(1),
  'blocks an hour ahead, an unused authorization, no logs': both(hoursAway(1), unused, noLogs),
  'blocks an hour behind': hoursAway(-1),
  'blocks an hour ahead every other time': sometimes(hoursAway(1)),
  'no newest block': method('eth_getBlockByNumber', { result: null }),
  'a newest block far away': block(() => ({ number: quantity(99_999_999) })),
  'a broadcast that is swallowed': swallowed,
  'a broadcast that is swallowed, every other time': sometimes(swallowed),
  'a broadcast that is refused for its nonce': method(
    'eth_sendRawTransaction',
    failed(-32000, 'nonce too low'),
  ),
  'a broadcast that is refused as underpriced': method(
    'eth_sendRawTransaction',
    failed(-32000, 'replacement transaction underpriced'),
  ),
  'a broadcast that is known already, and is not': method(
    'eth_sendRawTransaction',
    failed(-32000, 'already known'),
  ),
  'a broadcast whose answer is lost': method('eth_sendRawTransaction', 'lost'),
  'a broadcast that is done and answered with an error': method(
    'eth_sendRawTransaction',
    doneBut('nonce too low'),
  ),
  'a broadcast that is answered late': method('eth_sendRawTransaction', slow(3_000)),
  'no answer once it was sent': onceSent(all('lost')),
  'late answers once it was sent': onceSent(all(slow(1_500))),
  'a wallet that has sent nothing': method('eth_getTransactionCount', { result: '0x0' }),
  'a wallet that has sent more': method('eth_getTransactionCount', {
    edit: ((count: string) => quantity(Number(count) + 5)) as never,
  }),
  'a payer without money': calls(BALANCE_OF, { result: word(0) }),
  'a call that fails': method('eth_estimateGas', failed(3, 'execution reverted')),
  'a call that takes all gas': method('eth_estimateGas', { result: quantity(30_000_000) }),
  'a call that fails, and is sent a moment later':
    (context) =>
    (asked, [call]) => {
      if (asked !== 'eth_estimateGas') return undefined;
      setTimeout(() => context.send(call as Call), 1_000);
      return failed(3, 'execution reverted');
    },
  'gas that nobody knows': method('eth_estimateGas', failed(-32603, 'internal error')),
  'a token without code': method('eth_call', { result: '0x' }),
  'a payer with code': method('eth_getCode', { result: '0x6001600155' }),
  'a node that stands still': lagging(() => 0),
  'nodes of which each is somewhere else': lagging(({ random }) => Math.floor(random() * 6)),
  'a node that repeats itself': frozen,
  'a node that repeats itself once it was sent': onceSent(frozen),
  'an error for every other request': sometimes(all(failed(-32005, 'rate limited'))),
  'a lost answer for every other request': sometimes(all('lost')),
  'null for everything once it was sent': onceSent(all({ result: null })),
  'a page of HTML': all({ raw: '<html>502 Bad Gateway</html>' }),
  'an answer of 5 MB once it was sent': onceSent(all({ raw: `"${'a'.repeat(5_000_000)}"` })),
  'late answers': all(slow(400)),
}).map(([name, lie]) => ({ name, lie }));

const cancelled = both(
  method('eth_getLogs', { edit: ((logs: Log[]) => logs.map(cancels)) as never }),
  receiptLogs(cancels),
);

/** Told by one of two nodes. */
export const consistentLies: readonly NodeLie[] = Object.entries<NodeLie['lie']>({
  'a cancellation in log and receipt': cancelled,
  'an end without a payment': both(hoursAway(1), unused, noLogs, noReceipts),
  'nothing at all': both(unused, noLogs, noReceipts, swallowed),
}).map(([name, lie]) => ({ name, lie, isConsistent: true }));
