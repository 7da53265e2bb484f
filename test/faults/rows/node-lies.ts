/**
 * Lists the ways in which a chain node can lie, those that only a second node can reveal, and the defects
 * that some lies once found.
 */

import {
  AUTHORIZATION_STATE,
  all,
  BALANCE_OF,
  block,
  both,
  type Call,
  calls,
  cancels,
  doneBut,
  failed,
  frozen,
  hoursAway,
  type Log,
  lagging,
  method,
  type NodeLie,
  noLogs,
  noReceipts,
  onceSent,
  quantity,
  type Receipt,
  receiptLogs,
  receipts,
  slow,
  sometimes,
  swallowed,
  USED,
  unused,
  word,
} from './lie-grammar.ts';

/** Defects that some of these lies once found, by the lie. */
export const FOUND: Readonly<Record<string, string>> = {
  'receipts that failed, without logs':
    'a buyer who paid twice: the logs of the chain said otherwise',
  'a call that fails, and is sent a moment later':
    'a buyer who paid twice: 402 for what the node then sent',
};

export const nodeLies: Readonly<Record<string, NodeLie>> = {
  'receipts that failed, without logs': receipts((one) => ({ ...one, status: '0x0', logs: [] })),
  'receipts without logs': receipts((one) => ({ ...one, logs: [] })),
  'no receipts': noReceipts,
  'receipts of an earlier payment': (context) => (asked) =>
    asked === 'eth_getTransactionReceipt' ? { ask: [context.paidBefore] } : undefined,
  'receipts of another payee': receiptLogs(({ topics, ...log }) => ({
    ...log,
    topics: topics.map((topic, index) => (index === 2 ? word(9) : topic)),
  })),
  'receipts of a block to come': receipts((one) => ({ ...one, blockNumber: quantity(99_999_999) })),
  'receipts of a cancellation': receiptLogs(cancels),
  'an authorization that is never used': unused,
  'an authorization that is always used': calls(AUTHORIZATION_STATE, { result: word(1) }),
  'a state that nobody knows': calls(AUTHORIZATION_STATE, failed(-32000, 'header not found')),
  'no logs': noLogs,
  'logs that are refused': method('eth_getLogs', failed(-32005, 'query returned more than 10000')),
  'logs of a cancellation': method('eth_getLogs', {
    edit: ((logs: Log[]) => logs.map(cancels)) as never,
  }),
  'blocks an hour ahead': hoursAway(1),
  'blocks an hour ahead, an unused authorization, no logs': both(hoursAway(1), unused, noLogs),
  'blocks an hour behind': hoursAway(-1),
  'a newest block far away': block(() => ({ number: quantity(99_999_999) })),
  'a broadcast that is swallowed': swallowed,
  'a broadcast that is known already, and is not': method(
    'eth_sendRawTransaction',
    failed(-32000, 'already known'),
  ),
  'a broadcast whose answer is lost': method('eth_sendRawTransaction', 'lost'),
  'a broadcast that is done and answered with an error': method(
    'eth_sendRawTransaction',
    doneBut('nonce too low'),
  ),
  'no answer once it was sent': onceSent(all('lost')),
  'a wallet that has sent nothing': method('eth_getTransactionCount', { result: '0x0' }),
  'a payer without money': calls(BALANCE_OF, { result: word(0) }),
  'a call that fails': method('eth_estimateGas', failed(3, 'execution reverted')),
  'a call that takes all gas': method('eth_estimateGas', { result: quantity(30_000_000) }),
  'a call that fails, and is sent a moment later':
    (context) =>
    (asked, [call]) => {
      if (asked !== 'eth_estimateGas') return undefined;
      setTimeout(() => context.send(call as Call), 350);
      return failed(3, 'execution reverted');
    },
  'a token without code': method('eth_call', { result: '0x' }),
  'a payer with code': method('eth_getCode', { result: '0x6001600155' }),
  'nodes of which each is somewhere else': lagging(({ random }) => Math.floor(random() * 6)),
  'a node that repeats itself once it was sent': onceSent(frozen),
  'a lost answer for every other request': sometimes(all('lost')),
  'null for everything once it was sent': onceSent(all({ result: null })),
  'an answer of 5 MB once it was sent': onceSent(all({ raw: `"${'a'.repeat(5_000_000)}"` })),
  'late answers': all(slow(150)),
};

/** Lies for which the service needs the same code as for one of the above. `npm test` leaves them out. */
export const furtherNodeLies: Readonly<Record<string, NodeLie>> = {
  'receipts that failed, with logs': receipts((one) => ({ ...one, status: '0x0' })),
  'receipts that failed, every other time': sometimes(
    receipts((one) => ({ ...one, status: '0x0', logs: [] })),
  ),
  'no receipts, every other time': sometimes(noReceipts),
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
  'receipts with the order of logs reversed': receipts((one) => ({
    ...one,
    logs: [...one.logs].reverse(),
  })),
  'an authorization that is never used, without logs': both(unused, noLogs),
  'an authorization that is used every other time': sometimes(
    calls(AUTHORIZATION_STATE, { result: word(1) }),
  ),
  'a state that is no word': calls(AUTHORIZATION_STATE, { result: '0x' }),
  'no logs, every other time': sometimes(noLogs),
  'logs of an unknown transaction': method('eth_getLogs', {
    edit: ((logs: Log[]) => logs.map((log) => ({ ...log, transactionHash: word(5) }))) as never,
  }),
  'blocks an hour ahead every other time': sometimes(hoursAway(1)),
  'no newest block': method('eth_getBlockByNumber', { result: null }),
  'a broadcast that is swallowed, every other time': sometimes(swallowed),
  'a broadcast that is refused for its nonce': method(
    'eth_sendRawTransaction',
    failed(-32000, 'nonce too low'),
  ),
  'a broadcast that is refused as underpriced': method(
    'eth_sendRawTransaction',
    failed(-32000, 'replacement transaction underpriced'),
  ),
  'a broadcast that is answered late': method('eth_sendRawTransaction', slow(1_000)),
  'late answers once it was sent': onceSent(all(slow(500))),
  'a wallet that has sent more': method('eth_getTransactionCount', {
    edit: ((count: string) => quantity(Number(count) + 5)) as never,
  }),
  'gas that nobody knows': method('eth_estimateGas', failed(-32603, 'internal error')),
  'a node that stands still': lagging(() => 0),
  'a node that repeats itself': frozen,
  'an error for every other request': sometimes(all(failed(-32005, 'rate limited'))),
  'a page of HTML': all({ raw: '<html>502 Bad Gateway</html>' }),
};

const cancelled = both(
  method('eth_getLogs', { edit: ((logs: Log[]) => logs.map(cancels)) as never }),
  receiptLogs(cancels),
);

/**
 * `transferWithAuthorization` in the bytes of a transaction, followed by payer, payee, value, times and
 * nonce.
 */
const TRANSFER = /e3ee160e0{24}(?<payer>\w{40})(?:\w{64}){4}(?<nonce>\w{64})/;

/** Nothing is sent, and the receipt of someone else's payment has the names of this one. */
const invented: NodeLie = ({ paidBefore }) => {
  let own: { readonly payer?: string; readonly nonce?: string } = {};
  return (asked, [what]) => {
    if (asked === 'eth_sendRawTransaction') {
      own = TRANSFER.exec(String(what))?.groups ?? {};
      return { result: word(0xab) };
    }
    if (asked !== 'eth_getTransactionReceipt') return undefined;
    const edit = (receipt: Receipt) => {
      const [, payer = '', nonce = ''] =
        receipt.logs.find(({ topics }) => topics[0] === USED)?.topics ?? [];
      const names = [
        [payer.slice(-40), own.payer],
        [nonce.slice(2), own.nonce],
        [paidBefore.slice(2), String(what).slice(2)],
      ] as const;
      const text = names.reduce(
        (all, [from, to = from]) => all.replaceAll(from, to),
        JSON.stringify(receipt),
      );
      return JSON.parse(text);
    };
    return { ask: [paidBefore], edit: edit as (found: never) => unknown };
  };
};

/** Lies of one of two nodes. */
export const consistentLies: Readonly<Record<string, NodeLie>> = {
  'a payment that was never made': invented,
  'a cancellation in log and receipt': cancelled,
  'an end without a payment': both(hoursAway(1), unused, noLogs, noReceipts),
  'nothing at all': both(unused, noLogs, noReceipts, swallowed),
};
