/**
 * Judges BIMI mark certificates and the logos in them with mailauth, and describes their faults in our own
 * words.
 */

import { validateVMC } from 'mailauth/lib/bimi/index.js';
import { toDateTime } from '../../domain/instant.ts';
import type { CertificateVerdict, CheckCertificate } from '../../ports/web.ts';

type Job = Parameters<CheckCertificate>[0];

/** Maximum length at which a name in a certificate is shown, in characters. */
const MAX_TEXT = 100;
const MAX_NAMES = 20;

/** Our own words for the faults that the library reports, because its texts quote the certificate. */
const FAULTS: Readonly<Record<string, string>> = {
  INVALID_CERT_BUNDLE: 'a= contains no certificate',
  INVALID_CHAIN: 'the certificate chain is broken',
  SELF_SIGNED_CERT_IN_CHAIN: 'no known mark authority issued the certificate',
  CERTIFICATE_VERIFICATION_ERROR: 'the certificate has expired or is not yet valid',
  BIMI_EXT_KEY_MISSING: 'the certificate is not for BIMI (key usage 1.3.6.1.5.5.7.3.31)',
  INVALID_LOGOTYPE_EXT: 'the certificate contains no logo',
  MISSING_VMC_LOGO: 'the certificate contains no logo',
  INVALID_MEDIATYPE: 'the logo in the certificate is not an SVG',
  INVALID_LOGO_HASH: 'the logo in the certificate does not match its own hash',
  SVG_VALIDATION_FAILED: 'the logo in the certificate is not SVG Tiny PS',
  VMC_DOMAIN_MISMATCH: 'the certificate is for another name',
};

/**
 * Judges a BIMI mark certificate. It runs in a worker thread, because the logo in it is compressed and may
 * grow a thousandfold. Both files are passed in, so that the library fetches nothing.
 *
 * @param rootStore roots of the mark authorities; the library's own by default
 */
export async function readCertificate(
  { pem, svg, domain, selector, at }: Job,
  rootStore?: unknown,
): Promise<CertificateVerdict> {
  const judged = await validateVMC(
    {
      status: { header: { selector, d: domain } },
      ...(svg && { locationPath: Buffer.from(svg) }),
      authorityPath: Buffer.from(pem),
    } as unknown as Parameters<typeof validateVMC>[0],
    { now: new Date(at), ...(rootStore ? { rootStore } : {}) },
  );
  const authority = (judged ? judged.authority : undefined) as Authority | undefined;
  const matches = authority?.hashMatch ?? null;
  const known = authority?.vmc;
  const certificate = known?.certificate ?? authority?.error?.details?.certificate;
  const code = authority?.error?.code;
  return {
    type: known?.type === 'VMC' ? 'vmc' : known?.type === 'CMC' ? 'cmc' : null,
    issuer: cut(certificate?.issuer?.organizationName ?? certificate?.issuer?.commonName),
    subjectNames: (certificate?.subjectAltName ?? [])
      .slice(0, MAX_NAMES)
      .map((name) => name.slice(0, MAX_TEXT)),
    notAfter: toDateTime(Date.parse(certificate?.validTo ?? '')),
    logoMatches: matches,
    fault: authority?.success
      ? matches === false
        ? 'the certificate is for another logo'
        : null
      : (FAULTS[code ?? ''] ?? 'the certificate cannot be read'),
  };
}

const cut = (text: string | undefined) => text?.slice(0, MAX_TEXT) ?? null;

interface Shown {
  readonly subjectAltName?: readonly string[];
  readonly validTo?: string | null;
  readonly issuer?: { readonly organizationName?: string; readonly commonName?: string };
}

/** The part of the library's result that we use. */
interface Authority {
  readonly success: boolean;
  readonly hashMatch?: boolean;
  readonly vmc?: { readonly type?: string; readonly certificate?: Shown };
  readonly error?: { readonly code?: string; readonly details?: { readonly certificate?: Shown } };
}
