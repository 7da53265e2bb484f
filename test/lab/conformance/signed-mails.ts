import { scanHeaders } from '../../support/mail/scan-headers.ts';
import { judgeSignatures } from './judge-signatures.ts';
import { ofChain, type RecordedMail, recordedMails } from './recorded-mails.ts';
import { type Case, differs, type Suite } from './suite.ts';
import { verifyRaw } from './verify-raw.ts';

/**
 * Reads our own emails, signed by other programs. In `dkim/` every signature passes unchanged, none of an
 * altered email does, and each with `x=` expires. In `arc/` the chain passes, and that of an altered email
 * fails. In `arc-invalid/` it fails unchanged.
 * @param receivedAt RFC 3339, within the lifetime of every signature
 */
export const readSignedMails = (name: string, dir: string, receivedAt: string): Suite => ({
  name,
  cases: [
    ...recordedMails(dir, 'dkim').flatMap((mail) => signatureCases(mail, receivedAt)),
    ...recordedMails(dir, 'arc').flatMap((mail) => chainCases(mail, receivedAt, 'pass')),
    ...recordedMails(dir, 'arc-invalid').flatMap((mail) => chainCases(mail, receivedAt, 'fail')),
  ],
  excepted: {},
});

function signatureCases({ name, bytes, ask }: RecordedMail, receivedAt: string): readonly Case[] {
  const headers = scanHeaders(bytes).dkimSignatures;
  const one = (what: string, allowed: readonly string[], mail = bytes, at = receivedAt): Case => ({
    name: `${name}${what}`,
    run: async () => {
      const reports = await judgeSignatures(mail, ask, at);
      if (reports.length !== headers.length) return `${reports.length} signatures`;
      const wrong = reports
        .map(({ result, reason }) => reason ?? result)
        .find((word) => !allowed.includes(word));
      return wrong === undefined ? null : differs(wrong, allowed);
    },
  });
  const expiry = Math.max(...headers.map(({ expires }) => expires ?? 0));
  // A signature with l=0 says nothing about the body.
  const coversBody = headers.every(({ bodyLength }) => bodyLength !== 0);
  // A field that h= names once more than it occurs cannot be added (RFC 6376 §8.15).
  const isOversigned = headers.every(
    ({ signedHeaders }) => signedHeaders.filter((field) => field === 'from').length > 1,
  );
  return [
    one('', ['pass']),
    one(', From altered', ['bad_signature'], alterFrom(bytes)),
    ...(isOversigned ? [one(', From added', ['bad_signature'], addFrom(bytes))] : []),
    ...(coversBody ? [one(', body altered', ['body_hash_mismatch'], alterBody(bytes))] : []),
    ...(expiry > 0 ? [one(', after x=', ['expired'], bytes, toIso(expiry + 1))] : []),
  ];
}

function chainCases(
  { name, bytes, ask }: RecordedMail,
  receivedAt: string,
  expected: 'pass' | 'fail',
): readonly Case[] {
  const one = (what: string, result: string, mail: Buffer): Case => ({
    name: `${name}${what}`,
    run: async () => differs(ofChain(await verifyRaw(mail, ask, receivedAt)), [result]),
  });
  return [
    one('', expected, bytes),
    one(', From altered', 'fail', alterFrom(bytes)),
    one(', body altered', 'fail', alterBody(bytes)),
  ];
}

const altered = (bytes: Buffer, find: RegExp, replacement: string): Buffer =>
  Buffer.from(bytes.toString('latin1').replace(find, replacement), 'latin1');

const alterFrom = (bytes: Buffer) => altered(bytes, /^From:\s*/im, '$&x');

const addFrom = (bytes: Buffer) => Buffer.concat([Buffer.from('From: x@example.net\r\n'), bytes]);

const alterBody = (bytes: Buffer) => altered(bytes, /\r\n\r\n/, '$&x');

const toIso = (seconds: number): string => new Date(seconds * 1000).toISOString();
