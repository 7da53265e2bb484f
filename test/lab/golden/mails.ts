/** Lists the golden emails, whose reports a change should leave as they are. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Resolver } from '../../../src/ports/dns.ts';
import { hostileMails } from '../../edge/mail/mails.ts';
import { randomMail } from '../../edge/mail/random.ts';
import { readSeeds } from '../../edge/mail/seeds.ts';
import { recordedMails } from '../conformance/recorded-mails.ts';
import { toCrlf } from '../conformance/verify-raw.ts';
import { askZone } from '../conformance/zone-resolver.ts';
import { readCorpus } from '../corpus/read-corpus.ts';
import { zones } from './zones.ts';

const MIB = 1024 * 1024;

const fixtures = join(import.meta.dirname, '../../fixtures');

export interface GoldenMail {
  readonly name: string;
  readonly make: () => Buffer;
  readonly ask: Resolver['ask'];
}

export interface GoldenOptions {
  /** Number of random emails. */
  readonly fuzz: number;
  /** Size of the large hostile emails, in bytes. */
  readonly largeBytes?: number;
  readonly corpusDir?: string | undefined;
}

interface Named {
  readonly name: string;
  readonly make: () => Buffer;
}

/** Returns personal, labelled, hostile and generated emails, the same in every run. */
export function goldenMails({
  fuzz,
  largeBytes = MIB,
  corpusDir,
}: GoldenOptions): readonly GoldenMail[] {
  const made = fc.sample(randomMail(readSeeds(undefined)), { numRuns: fuzz, seed: 1 });
  const letters = readdirSync(join(fixtures, 'mails')).filter((name) => name.endsWith('.eml'));
  const all: Named[] = [
    ...letters.sort().map((name) => ({
      name,
      make: () =>
        Buffer.from(toCrlf(readFileSync(join(fixtures, 'mails', name), 'latin1')), 'latin1'),
    })),
    ...Object.entries(hostileMails(largeBytes)).map(([name, make]) => ({ name, make })),
    ...made.map((mail, n) => ({ name: `fuzz ${n}`, make: () => Buffer.from(mail, 'latin1') })),
    ...(corpusDir === undefined ? [] : readCorpus(corpusDir)).map(({ id, bytes }) => ({
      name: id,
      make: () => bytes,
    })),
  ];
  const asks = zones.map(askZone);
  const [first] = asks as [Resolver['ask']];
  return [
    ...all.map((mail, at) => ({ ...mail, ask: asks[at % asks.length] ?? first })),
    ...signed(first),
  ];
}

/** Returns the suites' signed emails, with keys of their own, and everything else from the first zone. */
function signed(others: Resolver['ask']): GoldenMail[] {
  const suites = join(fixtures, 'suites');
  const folders = readdirSync(suites).filter((name) => name.startsWith('signed-by-'));
  return folders.sort().flatMap((suite) =>
    ['dkim', 'arc', 'arc-invalid'].flatMap((folder) =>
      recordedMails(join(suites, suite), folder).map(
        ({ name, bytes, ask }) =>
          ({
            name: `${suite}/${name}`,
            make: () => bytes,
            ask: async (query, type) => {
              const own = await ask(query, type);
              return own.status === 'found' ? own : others(query, type);
            },
          }) satisfies GoldenMail,
      ),
    ),
  );
}
