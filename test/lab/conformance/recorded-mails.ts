/**
 * Reads recorded emails together with the keys with which they were signed, and names the result of
 * an ARC chain.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resolver } from '../../../src/ports/dns.ts';
import type { AuthenticationPart } from '../../../src/ports/reading.ts';
import type { Zone } from '../../environment/dns-zone.ts';
import { toCrlf } from './verify-raw.ts';
import { askZone } from './zone-resolver.ts';

/** An email with the keys with which it was signed. */
export interface RecordedMail {
  /** `folder/file`. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly ask: Resolver['ask'];
}

/**
 * Returns the emails of a folder, or none without the folder. A file begins with the keys, one per line, then
 * a blank line, then the email.
 */
export const recordedMails = (dir: string, folder: string): readonly RecordedMail[] =>
  filesOf(join(dir, folder)).map((file) => {
    // Characters are bytes, because an email may be 8-bit in any charset.
    const text = readFileSync(join(dir, folder, file), 'latin1').replaceAll('\r\n', '\n');
    const end = text.indexOf('\n\n');
    return {
      name: `${folder}/${file}`,
      bytes: Buffer.from(toCrlf(text.slice(end + 2)), 'latin1'),
      ask: askZone(toZone(text.slice(0, end))),
    };
  });

export const ofChain = ({ arc }: AuthenticationPart): string =>
  arc.status === 'known' ? arc.value.report.result : arc.status;

const filesOf = (dir: string) => (existsSync(dir) ? readdirSync(dir).sort() : []);

const toZone = (lines: string): Zone =>
  Object.fromEntries(
    lines.split('\n').map((line) => {
      const space = line.indexOf(' ');
      return [line.slice(0, space).toLowerCase(), { TXT: [line.slice(space + 1)] }];
    }),
  );
