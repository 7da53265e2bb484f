/**
 * Builds the steps that add or fix DKIM signatures, decides whether the sender or someone else must take
 * them, and names the causes that findings share.
 */

import { askStep, type Others, type Step, serverStep, wordsStep } from '../advice/actions.ts';
import { aliasOf, isOwnName } from '../advice/ownership.ts';
import { isBorrowed } from '../advice/place.ts';
import { platformOf, platformOfName } from '../advice/platforms.ts';
import { handedOn, passedBefore } from '../advice/whose-server.ts';
import type { Facts } from '../facts.ts';
import { passingTwins, shownCause } from './cause.ts';
import { changeSteps } from './changes.ts';
import type { DkimFact } from './facts.ts';
import { addedHeaderStep, keySteps, shownKeyStep, wrongKeySteps } from './key-steps.ts';
import { formatHeader, keyName } from './results.ts';
import { spareSteps } from './shared-selector.ts';

/**
 * Returns the steps that turn on DKIM for the sender's own domain, with instructions for the platform that
 * sent the email if it is known.
 */
export function signingSteps(domain: string, facts: Facts): readonly Step[] {
  const platform = platformOf(facts);
  if (facts.names.nullSender && !platform)
    return [serverStep('dkim.d', domain), wordsStep('server', signBounces(domain))];
  const how = platform
    ? `You send through ${platform.name}. ${platform.dkim}`
    : `Your mail system, or the service that sends for you, creates a key and shows the record to publish under _domainkey.${domain}.`;
  return [serverStep('dkim.d', domain), wordsStep('server', how)];
}

/**
 * Returns instructions for signing the messages that a mail server generates itself, such as bounces, which
 * bypass the usual signer.
 */
const signBounces = (domain: string): string =>
  `Turn on DKIM signing for the messages that your server creates itself, such as bounces. In Postfix, set internal_mail_filter_classes = bounce and name your signer in non_smtpd_milters. In Exim, set dkim_domain = ${domain} at the transport that sends them, because a bounce has no sender to take a domain from. In rspamd, keep allow_envfrom_empty = true. The signer shows the record to publish under _domainkey.${domain}.`;

/** Returns a fix for someone else if they control the domain of the signature or the name of its key. */
export const dkimOthers = (one: DkimFact, facts: Facts): Others | undefined =>
  signatureOthers(one, facts) ?? keyOthers(one, facts);

/** Returns a fix for someone else if they added the signature, or changed the email after signing. */
export function signatureOthers(one: DkimFact, facts: Facts): Others | undefined {
  const { domain, reason } = one.report;
  if (reason === 'body_hash_mismatch' || reason === 'bad_signature') {
    const changed = handedOn(
      facts,
      passedBefore(one, facts)
        ? 'changed it: a verified ARC seal says that your signature passed before'
        : 'changed it after signing',
    );
    if (changed) return changed;
  }
  if (isOwnName(domain, facts)) return undefined;
  const platform = platformOfName(domain) ?? platformOf(facts);
  const way = platform ? ` ${platform.dkim}` : '';
  return {
    owner: 'platform',
    why: `The signature of ${domain} comes from ${platform?.name ?? 'a service that handles your mail'}, and only they can change it or its key.`,
    ask: `Also sign with your own domain.${way}`,
  };
}

/** Causes that a record at the target of an alias cannot remove. */
const NOT_OF_THE_RECORD: readonly string[] = [
  'beside',
  'address',
  'second_key',
  'shared',
  'headers_changed',
];

/** Returns a fix for someone else if the sender's key is an alias of a name that they control. */
export function keyOthers(one: DkimFact, facts: Facts): Others | undefined {
  const name = keyName(one);
  const target = aliasOf(name, facts);
  if (target === undefined || isOwnName(target, facts) || isBorrowed(name, facts)) return undefined;
  const cause = shownCause(one, facts);
  if (NOT_OF_THE_RECORD.includes(cause ?? '') || one.report.reason === 'body_hash_mismatch')
    return undefined;
  const holder = platformOfName(target)?.name ?? 'the owner of that name';
  const ownServer = `If your own server signed this email, have that server sign with its own selector, and publish its key there.`;
  return {
    owner: 'platform',
    why: `The key at ${name} is an alias (CNAME) of ${target}, so ${holder} has to publish it.`,
    ask:
      one.report.reason === 'bad_signature'
        ? `The key there does not match this email, or a signed header changed after signing. If ${holder} signed this email, renew the DKIM setup of your domain there, and make sure that nothing changes the email afterwards. ${ownServer}`
        : `Open the DKIM settings of your domain there, and finish or renew the setup. ${ownServer}`,
  };
}

/**
 * The step to take before more parts of an email are signed, because a later change to any of them would
 * break the signature.
 */
export const lastStep = wordsStep(
  'server',
  'Make signing the last step, after footers, link tracking and virus scanners.',
  'sender',
  'dkim.order',
);

const SEND_STRAIGHT =
  'send an email directly from the signing server, bypassing everything that normally handles mail after it. If DKIM then passes, something that you bypassed changes your mail.';

/** The step to take if something may have changed the email after signing. */
const signLaterStep = wordsStep(
  'server',
  'If something changes your mail after signing, have it do so before signing, or sign on the last server that handles your mail.',
  'sender',
  'dkim.order',
);

/**
 * Returns the step that replaces a key that must not be used any longer. Only the signer can create a new
 * one.
 */
export const newKeyStep = ({ report: { domain, selector } }: DkimFact): Step =>
  wordsStep(
    'server',
    `Create an RSA key of 2048 bits for ${domain} at a new selector, publish the record that your signer shows for it, and sign with it. Remove ${selector} a week later.`,
    'sender',
    'dkim.key',
  );

/** Returns the steps that fix a failed signature. */
export function signatureSteps(one: DkimFact, facts: Facts): readonly Step[] {
  const { reason, domain } = one.report;
  const cause = shownCause(one, facts);
  if (cause === 'added_header')
    return [addedHeaderStep(formatHeader(one.tried?.addedHeader ?? ''))];
  if (cause === 'wrong_key') return wrongKeySteps(one, facts);
  if (cause === 'headers_changed') return headersChangedSteps(one, facts);
  if (one.changed && cause === 'changed')
    return changeSteps(one.changed, formatHeader(one.changed.header ?? ''));
  if (cause !== null) return keySteps(one, facts);
  switch (reason) {
    case 'no_key':
    case 'key_invalid':
      return keySteps(one, facts);
    case 'key_revoked':
    case 'key_too_short':
      return [newKeyStep(one)];
    case 'weak_algorithm':
      return [serverStep('dkim.a', 'rsa-sha256')];
    case 'expired':
      return [serverStep('dkim.x', null)];
    case 'identity_not_under_domain':
      return [serverStep('dkim.i', domain)];
    case 'malformed':
      // A signer MUST sign the From field (RFC 6376 §5.4).
      if (one.report.signed_headers?.every((name) => name.toLowerCase() !== 'from'))
        return [{ ...serverStep('dkim.h', 'From, From'), operation: 'add' }];
      return [
        wordsStep(
          'server',
          'Have your signer write each of v=1, a=, b=, bh=, d=, h= and s= exactly once.',
          'sender',
          'dkim.tags',
        ),
      ];
    case 'bad_signature':
      return [
        askStep(
          `Was a header changed after signing, or was the email signed with another key? Compare the TXT record at ${keyName(one)} with the one that your signer shows for the selector ${one.report.selector}. If they are the same, ${SEND_STRAIGHT}`,
        ),
        shownKeyStep(
          one,
          "If the two differ, publish the signer's record as the only TXT record at",
        ),
        signLaterStep,
      ];
    case 'body_hash_mismatch':
      return [
        askStep(
          `Does a server or service change the body after signing, for example with a footer, link tracking, a virus scanner or another encoding? To find out, ${SEND_STRAIGHT} If that email fails too, the signer signs a different body from the one that it sends.`,
        ),
        signLaterStep,
      ];
    default:
      return [];
  }
}

/** Returns the steps for a signature that the published key made over other headers than those that arrived. */
function headersChangedSteps(one: DkimFact, facts: Facts): readonly Step[] {
  const { domain } = one.report;
  if (passingTwins(one, facts).length > 0)
    return [
      wordsStep(
        'server',
        `The other signature of ${domain} covers the same headers and passes, so a header changed between the two signings. Have whatever changes it run before the first one.`,
        'sender',
        'dkim.order',
      ),
      ...spareSteps(one, facts),
    ];
  return [
    askStep(
      `Does a server or service change a header after signing, for example the subject or the recipients? To find out, ${SEND_STRAIGHT} If it fails too, the signer does not sign the headers that it sends.`,
    ),
    signLaterStep,
  ];
}

const KEY_REASONS: readonly string[] = ['no_key', 'key_invalid', 'key_revoked', 'key_too_short'];

/**
 * Returns whether the signature names a subdomain in `i=` although `t=s` in the key record does not allow
 * that.
 */
export const isStrictFault = ({ report, keyFaults }: DkimFact): boolean =>
  report.reason === 'identity_not_under_domain' && keyFaults.some(({ fix }) => fix === 'strict');

/** Returns the cause of a failed signature: a faulty key, or otherwise the signer of the domain. */
export const signatureCause = (one: DkimFact): string =>
  one.elsewhere ||
  one.tried?.key ||
  KEY_REASONS.includes(one.report.reason ?? '') ||
  isStrictFault(one)
    ? keyCause(one)
    : `dkim_signing:${one.report.domain}`;

export const keyCause = (one: DkimFact): string => `dkim_key:${keyName(one)}`;

/** Returns the cause that all findings share if the organization itself does not sign the email. */
export const unsignedCause = ({ names }: Facts): string => `dkim:${names.fromOrganizationalDomain}`;
