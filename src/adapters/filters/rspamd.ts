/** Sends an email to rspamd, and reads its score and its rules. */

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { FilterAddress } from '../../domain/filter-address.ts';
import { FilterFault } from '../../domain/filter-fault.ts';
import { FILTER_ACTIONS } from '../../domain/report/filters.ts';
import { parseJson, readCapped } from '../../domain/response-body.ts';
import { type FilterAnswer, MAX_ANSWER_BYTES, type SpamFilter } from '../../ports/filters.ts';

/** Rules that treat an unknown reverse name as one that does not exist. */
const OF_HOSTNAME = ['RDNS_NONE', 'HFILTER_HOSTNAME_UNKNOWN'];

/** Creates a client of rspamd that uses `POST /checkv2` of its normal worker. */
export const createRspamd = (address: FilterAddress): SpamFilter => ({
  name: 'rspamd',
  async ask({ bytes, ip, helo, hostname, from, recipient }, signal) {
    const call = request({
      ...('path' in address ? { socketPath: address.path } : address),
      ...{ method: 'POST', path: '/checkv2', agent: false, signal },
      headers: {
        ...{ ...(ip && { IP: ip }), ...(helo && { Helo: helo }) },
        ...{ ...(hostname && { Hostname: hostname }), From: from, Rcpt: recipient },
        ...{ Settings: toSettings(hostname === undefined), 'Content-Length': bytes.length },
      },
    });
    call.end(bytes);
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    call.on('error', () => {});
    try {
      const answer = parseJson(await readCapped({ body: response }, MAX_ANSWER_BYTES));
      if (response.statusCode !== 200) throw new FilterFault('unreadable_answer');
      return toAnswer(answer, String(response.headers.server));
    } finally {
      call.destroy();
    }
  },
});

/**
 * Returns the settings that are sent to every rspamd, however it is configured: rspamd must keep nothing
 * about the email in its log or its statistics.
 */
const toSettings = (isNameless: boolean): string =>
  JSON.stringify({
    // The rule compares the To field with the recipient that we state, which is never the email's own
    // recipient.
    symbols_disabled: ['FORGED_RECIPIENTS', ...(isNameless ? OF_HOSTNAME : [])],
    flags: ['no_log', 'no_stat'],
  });

const isNumber = (value: unknown): value is number => Number.isFinite(value);

function toAnswer(answer: unknown, server: string): FilterAnswer {
  const { score, required_score, action, symbols, is_skipped } = Object(answer);
  const isTable = symbols instanceof Object && !Array.isArray(symbols);
  const rules = isTable ? Object.entries(symbols) : [];
  if (!isNumber(score) || !isTable || (is_skipped === true && rules.length === 0))
    throw new FilterFault('unreadable_answer');
  return {
    version: /^rspamd\/(\d+\.\d+(?:\.\d+)?)/.exec(server)?.[1] ?? null,
    score,
    threshold: isNumber(required_score) ? required_score : null,
    action: FILTER_ACTIONS.find((word) => word === String(action).replace(' ', '_')) ?? null,
    rules: rules.map(([name, of]) => ({ name, points: Number(Object(of).score) || 0 })),
  };
}
