/** Builds DNS answers for DMARC tree walks. */

import { type DmarcAnswers, treeNames } from '../../../src/analysis/dmarc/tree-walk.ts';
import type { Answer } from '../../../src/analysis/dns-answer.ts';

/** TXT records at `_dmarc` of each name. Anything else does not exist. */
export type DmarcZone = Readonly<Record<string, readonly string[] | 'SERVFAIL'>>;

/** Returns answers for every name that walks of these domains can reach. */
export const dmarcAnswers = (zone: DmarcZone, domains: readonly string[]): DmarcAnswers =>
  new Map(domains.flatMap(treeNames).map((name) => [name, answerOf(zone[name])]));

function answerOf(held: DmarcZone[string] | undefined): Answer<readonly string[]> {
  if (held === 'SERVFAIL') return { status: 'failed', error: 'SERVFAIL' };
  return held ? { status: 'found', records: held.map((text) => [text]) } : { status: 'nxdomain' };
}
