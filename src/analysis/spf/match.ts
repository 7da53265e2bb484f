import type { Answer } from '../dns-answer.ts';
import type { SpfSender } from './macro.ts';
import { networkOf } from './network.ts';
import { prefixesOf, type SpfTerm } from './parse.ts';
import { type AskSpf, addressQuery, queryOf, validatedNames } from './query.ts';

/** RFC 7208 §4.6.4: mail servers of one `mx` term. */
export const MAX_EXCHANGES = 10;

/** Whether a mechanism matches. `open`: an answer is still to be had. */
export type Match = boolean | 'open' | 'temperror' | 'permerror';

/**
 * Whether a mechanism that asks for a name matches the sender (RFC 7208 §5.3 to §5.7).
 *
 * @param target the name that it asks for
 * @param ask notes what has to be asked
 */
export function matchTerm(term: SpfTerm, target: string, sender: SpfSender, ask: AskSpf): Match {
  if (term.name === 'ptr') return matchReverse(target, sender, ask);
  const answer = ask(queryOf(term, target, sender));
  if (answer === undefined) return 'open';
  if (answer.status === 'failed') return 'temperror';
  if (answer.status !== 'found') return false;
  const inNetwork = senderIn(term, sender);
  switch (term.name) {
    case 'exists':
      return true;
    case 'mx':
      return matchHosts(answer.records, inNetwork, (name) => ask(addressQuery(name, sender)));
    default:
      return inNetwork(answer);
  }
}

type InAnswer = (answer: Answer<unknown>) => boolean;

/** Whether one of the addresses of an answer is the sender's, by the prefix length of the term. */
function senderIn(term: SpfTerm, { ip }: SpfSender): InAnswer {
  const { family, holds } = networkOf(ip);
  const prefix = prefixesOf(term)[family];
  const bits = prefix === '' ? undefined : Number(prefix.slice(1));
  return (answer) =>
    answer.status === 'found' && answer.records.some((address) => holds(String(address), bits));
}

/** Whether a name can be asked for at all. */
const isName = (name: string): boolean =>
  name.length <= 253 && name.split('.').every(({ length }) => length > 0 && length <= 63);

function matchHosts(
  records: readonly unknown[],
  inNetwork: InAnswer,
  askHost: (name: string) => Answer<unknown> | undefined,
): Match {
  if (records.length > MAX_EXCHANGES) return 'permerror';
  const answers = records
    .map((record) => (record as { readonly exchange: string }).exchange.replace(/\.$/, ''))
    .filter(isName)
    .map((name) => askHost(name.toLowerCase()));
  if (answers.some((answer) => answer && inNetwork(answer))) return true;
  if (answers.includes(undefined)) return 'open';
  return answers.some((answer) => answer?.status === 'failed') ? 'temperror' : false;
}

/**
 * RFC 7208 §5.5: a reverse name that is validated, and is the target or below it. Where the DNS fails
 * it does not match; where it was not asked nobody knows.
 */
function matchReverse(target: string, sender: SpfSender, ask: AskSpf): Match {
  let isOpen = false;
  const names = validatedNames(sender, (query) => {
    const answer = ask(query);
    isOpen ||= answer?.status === 'failed' && answer.unasked === true;
    return answer;
  });
  if (names === undefined) return 'open';
  if (names.some((name) => name === target || name.endsWith(`.${target}`))) return true;
  return isOpen ? 'temperror' : false;
}
