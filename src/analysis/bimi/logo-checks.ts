/** Defines the checks on the BIMI logo and its mark certificate. */

import { check } from '../check.ts';
import { mapLookup, thenLookup } from '../lookup-result.ts';
import { MAX_LOGO_KB } from './logo.ts';
import { bimiDomain } from './record-checks.ts';

/**
 * Turns a fault into a sentence. A capital letter is needed only if the fault begins with "the", because the
 * others begin with a tag or an attribute.
 */
const sentence = (fault: string): string => `${fault.replace(/^the /, 'The ')}.`;

export const bimiLogo = check({
  id: 'bimi_logo',
  family: 'bimi',
  gate: 'bimi_record',
  title: 'BIMI logo (SVG Tiny PS)',
  source: 'SVG Tiny PS profile; draft-brand-indicators-for-message-identification',
  about: {
    what: 'The logo must be a small, square SVG file in the Tiny PS profile.',
    why: 'Mail programs do not show SVG files that contain scripts or embedded images, or that use another profile.',
    how: [
      'Export the logo as SVG Tiny PS, or use a BIMI converter.',
      `Check that it is square, has a title and is at most ${MAX_LOGO_KB} KB.`,
    ],
    bad: '<svg viewBox="0 0 300 120"><script>…</script></svg>',
    good: '<svg version="1.2" baseProfile="tiny-ps" viewBox="0 0 100 100"><title>Example</title>…</svg>',
  },
  subject: ({ bimi }) =>
    thenLookup(bimi, (value) => mapLookup(value.logo, (state) => ({ bimi: value, state }))),
  states: ({ warn, suggest, pass }) => ({
    invalid: warn(0).when(
      `not SVG Tiny PS (version, baseProfile, title, x or y on the root, scripts, animation, external references), a DOCTYPE, or over ${MAX_LOGO_KB} KB`,
      ({ state }) => state === 'invalid',
    ),
    not_square: suggest.when('valid but not square', ({ state }) => state === 'not_square'),
    valid: pass('valid'),
  }),
  detail: ({ state, bimi: { report } }) => {
    const errors = report.logo?.errors ?? [];
    return errors.length > 0
      ? sentence(errors.join('; '))
      : `The logo is ${state.replace('_', ' ')}.`;
  },
  evidence: ({ state, bimi: { report } }) => ({ state, faults: report.logo?.errors ?? [] }),
  fix: {
    why: 'Your logo is not a valid SVG Tiny PS file, so receivers do not show it.',
    do: `Give the root <svg> version="1.2", baseProfile="tiny-ps", a square viewBox and a <title>, keep it at most ${MAX_LOGO_KB} KB, and remove {bad_element}.`,
  },
  fixes: {
    not_square: {
      why: 'Your logo is not square, so receivers crop or refuse it.',
      do: 'Make its viewBox square, for example viewBox="0 0 64 64".',
    },
    not_served: {
      why: 'Receivers cannot fetch your logo.',
      do: `Serve {logo_url} over https with status 200, Content-Type: image/svg+xml and at most ${MAX_LOGO_KB} KB.`,
    },
  },
  cases: ({ state, bimi: { report } }) => {
    if (state === 'not_square') return ['not_square'];
    // A missing result for the title means that the file was never read, because it could not be fetched.
    return report.logo && report.logo.title_present === null ? ['not_served'] : [];
  },
  values: ({ bimi }) => ({
    logo_url: bimi.report.logo_url ?? 'the URL in l=',
    bad_element: bimi.badElement ?? 'every script and external reference',
  }),
});

export const bimiCertificate = check({
  id: 'bimi_certificate',
  family: 'bimi',
  gate: 'bimi_record',
  title: 'BIMI mark certificate',
  source: 'VMC requirements; EKU 1.3.6.1.5.5.7.3.31',
  about: {
    what: 'A mark certificate proves that the logo is yours: a VMC for a registered trademark, a CMC for a logo that has been in use for at least a year.',
    why: 'Gmail and Apple Mail show no logo without a mark certificate.',
    how: [
      'Order a VMC or CMC from DigiCert, GlobalSign or SSL.com.',
      'Put the certificate file on an https server, and put its URL in a= in the BIMI record.',
    ],
    bad: '"v=BIMI1; l=https://example.com/logo.svg"',
    good: '"v=BIMI1; l=https://example.com/logo.svg; a=https://example.com/logo.pem"',
  },
  subject: ({ bimi }) =>
    thenLookup(bimi, (value) => mapLookup(value.certificate, (state) => ({ bimi: value, state }))),
  states: ({ warn, suggest, pass }) => ({
    invalid: warn(0).when(
      'a= present but expired, wrong name, no BIMI key usage, or another logo',
      ({ state }) => state === 'invalid',
    ),
    absent: suggest.when(
      'no a= (Gmail and Apple Mail show no logo without one)',
      ({ state }) => state === 'absent',
    ),
    valid: pass('VMC or CMC valid'),
  }),
  detail: ({ state, bimi: { certificateFault } }) =>
    certificateFault ? sentence(certificateFault) : state === 'absent' ? 'No a=.' : 'Valid.',
  evidence: ({ state, bimi: { certificateFault } }) => ({ state, fault: certificateFault }),
  fix: {
    why: 'Gmail and Apple Mail show a logo only with a mark certificate.',
    do: 'Get a VMC (for a registered trademark) or a CMC (for a logo that has been in use for at least a year), and put its https URL in a= in the BIMI record.',
  },
  fixes: {
    invalid: {
      why: 'Receivers cannot use the mark certificate in a= for {bimi_domain} and your logo: {fault}.',
      do: 'Serve a valid mark certificate at that URL.',
    },
  },
  cases: ({ state }) => (state === 'invalid' ? ['invalid'] : []),
  values: ({ bimi }, facts) => ({
    bimi_domain: bimiDomain(bimi, facts),
    fault: bimi.certificateFault ?? 'it is not valid',
  }),
});
