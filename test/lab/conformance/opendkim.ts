/** Reads the cases of OpenDKIM's tests as a suite. */

import { readFileSync } from 'node:fs';
import type { DkimSignature } from '../../../src/domain/report/authentication.ts';
import { judgeByOldRules, judgeSignatures } from './judge-signatures.ts';
import type { Case, Suite } from './suite.ts';
import { askZone } from './zone-resolver.ts';

interface Vectors {
  readonly keys: Readonly<Record<string, string>>;
  readonly cases: readonly Vector[];
}

interface Vector {
  readonly name: string;
  /** The email, one byte per character. */
  readonly mail: string;
  /** OpenDKIM's result for each signature, from the top. Null if it did not reach it. */
  readonly signatures: readonly (string | null)[];
  /** Time of the signature in RFC 3339, if it was signed at a given time. */
  readonly at?: string;
}

/** OpenDKIM's words, and ours for the same. Its other words are faults of the header. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'no signature error': ['pass'],
  'signature verification failed': ['bad_signature', 'body_hash_mismatch'],
  // The emails with these faults were also altered by hand, and no rule says which fault is named first.
  'signature expired': ['expired', 'bad_signature'],
  'signature timestamp in the future': ['bad_signature'],
  'invalid domain coverage': ['identity_not_under_domain', 'malformed'],
  'signature data corrupt': ['malformed', 'bad_signature'],
  'signature timestamp order error': ['malformed', 'bad_signature'],
  'length tag value exceeds body size': ['body_hash_mismatch'],
  'key not found in DNS': ['no_key'],
  'key revoked': ['key_revoked'],
  'unknown key version': ['key_invalid'],
  'signature-key hash mismatch': ['key_invalid'],
  'unknown key hash': ['key_invalid'],
  'unknown key type': ['key_invalid'],
  'key DNS reply corrupt': ['key_invalid'],
  'unable to apply public key': ['key_invalid'],
  'unauthorized subdomain': ['identity_not_under_domain'],
};

const MALFORMED = ['malformed'];

/**
 * Reads the emails that the tests of libopendkim sign and verify. Most are signed with rsa-sha1, which RFC 8301
 * forbids; none has a key that is too short for it. Each is judged first without RFC 8301, then with it, as in
 * the service. The results are the same, except that rsa-sha1 does not pass.
 */
export function readOpendkim(file: string): Suite {
  const { keys, cases } = JSON.parse(readFileSync(file, 'utf8')) as Vectors;
  const ask = askZone(
    Object.fromEntries(Object.entries(keys).map(([name, text]) => [name, { TXT: [text] }])),
  );
  const toCase = ({ name, mail, signatures, at }: Vector): Case => ({
    name,
    run: async () => {
      const bytes = Buffer.from(mail, 'latin1');
      const old = await judgeByOldRules(bytes, ask, at);
      if (old.length !== signatures.length) return `${old.length} signatures`;
      const wrong = old.map(wordOf).find((word, i) => !isRight(signatures[i] ?? null, word));
      if (wrong !== undefined) return wrong;
      const now = await judgeSignatures(bytes, ask, at);
      const other = now.find((report, i) => !isSame(report, old[i]));
      return other ? `${wordOf(other)} with RFC 8301` : null;
    },
  });
  return { name: 'OpenDKIM, the tests of libopendkim', cases: cases.map(toCase), excepted: {} };
}

const wordOf = ({ result, reason }: DkimSignature): string => reason ?? result;

const isRight = (theirs: string | null, ours: string): boolean =>
  theirs === null || (WORDS[theirs] ?? MALFORMED).includes(ours);

const isSame = (now: DkimSignature, old: DkimSignature | undefined): boolean =>
  old !== undefined &&
  (now.algorithm === 'rsa-sha1' ? now.result !== 'pass' : wordOf(now) === wordOf(old));
