/** Judges the fetched files that a BIMI record points to: the logo and its mark certificate. */

import type { BimiFacts } from '../analysis/bimi/facts.ts';
import { type LogoReading, MAX_LOGO_KB, readLogo } from '../analysis/bimi/logo.ts';
import { known, unknown } from '../analysis/lookup-result.ts';
import type { Bimi } from '../domain/report/logo.ts';
import type { CheckCertificate, Fetched } from '../ports/web.ts';
import { notFetched } from './not-fetched.ts';

interface Logo {
  readonly state: BimiFacts['logo'];
  readonly report: NonNullable<Bimi['logo']>;
  readonly badElement: string | null;
}

/** Judges the fetched logo, or says why there is none. */
export function judgeLogo(file: Fetched): Logo {
  const bad = (error: string, size: number | null = null): Logo => ({
    state: known('invalid'),
    report: reportOf(null, size, [error]),
    badElement: null,
  });
  if (file.status === 'failed') {
    if (file.reason === 'too_large') return bad(`the logo is over ${MAX_LOGO_KB} KB`);
    if (file.fault === 'theirs') return bad(`the logo cannot be fetched: ${file.reason}`);
    return {
      state: notFetched('BIMI logo', file),
      report: { ...reportOf(null, null, []), checked: false },
      badElement: null,
    };
  }
  const size = file.body.length;
  if (file.httpStatus !== 200) return bad(`the URL of the logo returns status ${file.httpStatus}`);
  if (!/^image\/svg\+xml\s*(?:;|$)/i.test(file.contentType))
    return bad('the logo is not served as image/svg+xml', size);
  const reading = readLogo(Buffer.from(file.body).toString('utf8'));
  const isValid = reading.errors.length === 0;
  return {
    state: known(!isValid ? 'invalid' : reading.square === false ? 'not_square' : 'valid'),
    report: reportOf(reading, size, reading.errors),
    badElement: reading.badElement,
  };
}

const MAX_WORD = 40;
const cut = (text: string | null | undefined) => text?.slice(0, MAX_WORD) ?? null;

const reportOf = (
  reading: LogoReading | null,
  size: number | null,
  errors: readonly string[],
): Logo['report'] => ({
  checked: true,
  size_bytes: size,
  base_profile: cut(reading?.baseProfile),
  version: cut(reading?.version),
  square: reading?.square ?? null,
  title_present: reading?.titlePresent ?? null,
  errors: [...errors],
});

interface Certificate {
  readonly state: BimiFacts['certificate'];
  readonly report: NonNullable<Bimi['certificate']> | null;
  readonly fault: string | null;
}

/**
 * Judges the fetched mark certificate, or says why there is none. Resolves with `null` if the record names
 * none.
 */
export async function judgeCertificate(
  file: Fetched | null,
  logo: Fetched,
  check: (pem: Uint8Array, svg: Uint8Array | null) => ReturnType<CheckCertificate>,
): Promise<Certificate> {
  if (file === null) return { state: known('absent'), report: null, fault: null };
  const nothing = {
    checked: false,
    type: null,
    issuer: null,
    subject_names: [],
    not_after: null,
    valid: null,
    logo_matches: null,
  };
  const bad = (fault: string): Certificate => ({
    state: known('invalid'),
    report: { ...nothing, checked: true, valid: false },
    fault,
  });
  if (file.status === 'failed' && file.fault !== 'theirs')
    return {
      state: notFetched('BIMI certificate', file),
      report: nothing,
      fault: null,
    };
  if (file.status === 'failed') return bad(`the certificate cannot be fetched: ${file.reason}`);
  if (file.httpStatus !== 200)
    return bad(`the URL of the certificate returns status ${file.httpStatus}`);
  const svg = logo.status === 'fetched' && logo.httpStatus === 200 ? logo.body : null;
  const checked = await check(file.body, svg);
  if (checked === null)
    return {
      state: unknown('bimi: the certificate was not read in time'),
      report: nothing,
      fault: null,
    };
  const { fault, ...rest } = checked;
  return {
    state: known(fault === null ? 'valid' : 'invalid'),
    report: {
      checked: true,
      type: rest.type,
      issuer: rest.issuer,
      subject_names: [...rest.subjectNames],
      not_after: rest.notAfter,
      valid: fault === null,
      logo_matches: rest.logoMatches,
    },
    fault,
  };
}
