/**
 * Builds the steps that correct the DNS record of a DKIM key, or the signer's selector or key that does not
 * match it, and the step for a header field that was added after signing.
 */

import { isAddress } from '../addresses.ts';
import {
  askStep,
  deleteStep,
  dnsStep,
  type Step,
  serverStep,
  wordsStep,
} from '../advice/actions.ts';
import { dnsNameOf } from '../advice/ownership.ts';
import { isBorrowed } from '../advice/place.ts';
import { platformOf } from '../advice/platforms.ts';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import {
  isRsa,
  isTaken,
  isUsable,
  ownText,
  publishedTexts,
  rightSelector,
  shownCause,
  sortKeys,
} from './cause.ts';
import { correctKeyRecord } from './correct-key.ts';
import type { DkimFact, Misplaced } from './facts.ts';
import { readDkimKey } from './key.ts';
import { correctedKey, keyName } from './results.ts';
import { spareSteps, takenSteps } from './shared-selector.ts';

/**
 * Returns the steps that correct the record of a signature's key. A key that may belong to another server is
 * deleted only after a question, and the key that verifies this email stays.
 */
export function keySteps(one: DkimFact, facts: Facts): readonly Step[] {
  const name = keyName(one);
  const published = publishedTexts(one);
  const { alias } = dnsNameOf(name, facts);
  if (alias && shownCause(one, facts) === 'beside')
    return [deleteStep(name, 'CNAME', [alias.target])];
  if (alias && isAddress(alias.end))
    return [
      askStep(
        `Did a service that signs your mail ask for an alias (CNAME) at ${name}? If so, set its target to the host name that the service shows. If not, continue.`,
      ),
      shownKeyStep(one, 'Publish it as the only TXT record at'),
    ];
  const swapped = swappedWith(one, facts);
  if (swapped !== null) return [swapStep(one.report.selector, swapped)];
  if (rightSelector(one) === null && isTaken(one, facts)) return takenSteps(one, facts);
  if (one.elsewhere) return misplacedSteps(one, one.elsewhere);
  if (published.length > 1 && !isBorrowed(name, facts) && !isJoined(one))
    return severalSteps(one, facts);
  const isOthers = ownText(one) === null && isBorrowed(name, facts);
  const record = isOthers ? null : correctedKey(one);
  if (record !== null) return [dnsStep(name, 'TXT', record, published)];
  return published.length === 0
    ? [missingKeyStep(one, facts)]
    : [shownKeyStep(one, 'Publish it as the only TXT record at')];
}

/**
 * Returns the selector whose key is swapped with that of this signature, so that each selector has the
 * other's key. Returns null if there is none.
 */
function swappedWith(one: DkimFact, { dkim }: Facts): string | null {
  const right = rightSelector(one);
  const { domain, selector } = one.report;
  const isOther = (other: DkimFact) =>
    other.report.domain === domain &&
    other.report.selector === right &&
    rightSelector(other) === selector;
  return (ifKnown(dkim)?.signatures ?? []).some(isOther) ? right : null;
}

function swapStep(one: string, other: string): Step {
  const [first, second] = [one, other].sort();
  return wordsStep(
    'server',
    `Your two keys are swapped: the signature with the selector ${first} was made with the key that is published for ${second}, and vice versa. Give each key its own selector (s=) in your signer. Leave the DNS records as they are.`,
    'sender',
    'dkim.s',
  );
}

const isJoined = ({ keyFaults }: DkimFact): boolean =>
  keyFaults.some(({ fix }) => fix === 'joined');

/**
 * Returns the steps for a key at the wrong name: either the signer's selector is corrected, or the record is
 * published at the right name.
 */
function misplacedSteps(one: DkimFact, elsewhere: Misplaced): readonly Step[] {
  const own = keyName(one);
  if (elsewhere.asText !== undefined)
    return [
      deleteStep(own, 'TXT', [elsewhere.asText]),
      dnsStep(own, 'CNAME', `${elsewhere.name}.`),
    ];
  const selector = rightSelector(one);
  if (selector !== null) return [serverStep('dkim.s', selector)];
  if (elsewhere.alias !== undefined) return aliasSteps(one, elsewhere, elsewhere.alias);
  const record = correctKeyRecord(elsewhere.record);
  if (record === null) return [shownKeyStep(one, 'Publish it as the only TXT record at')];
  const published = publishedTexts(one);
  return [
    ...(published.length > 0 ? [askForSigners(own)] : []),
    dnsStep(own, 'TXT', record, published),
    ...(mayBeUsed(elsewhere.name, own)
      ? []
      : [deleteStep(elsewhere.name, 'TXT', [elsewhere.record])]),
  ];
}

/**
 * Returns the steps that publish an alias to a service's key at the right name. A copy of the key would
 * become wrong when the service renews it.
 */
function aliasSteps(one: DkimFact, { name }: Misplaced, alias: string): readonly Step[] {
  const own = keyName(one);
  const published = publishedTexts(one);
  return [
    ...(published.length > 0 ? [askForSigners(own), deleteStep(own, 'TXT', published)] : []),
    dnsStep(own, 'CNAME', `${alias}.`),
    ...(mayBeUsed(name, own) ? [] : [deleteStep(name, 'CNAME', [alias])]),
  ];
}

/**
 * Returns whether the record at the wrong name may be in use, because that name is a valid key name itself
 * and not one to which a DNS panel appended the domain.
 */
const mayBeUsed = (name: string, own: string): boolean =>
  name.includes('._domainkey.') && !name.startsWith(`${own}.`);

/**
 * Returns the steps that keep one of several TXT records at the name of a key. A key that another signature
 * of this email uses gets its own selector. Any other key may belong to another server.
 */
function severalSteps(one: DkimFact, facts: Facts): readonly Step[] {
  const name = keyName(one);
  const published = publishedTexts(one);
  const { kept, moved, unused } = sortKeys(one, facts);
  const keys = published.filter(isUsable);
  if (kept === null)
    return keys.length === 0
      ? [shownKeyStep(one, 'Publish it as the only TXT record at')]
      : [
          askStep(
            `Which of the ${published.length} TXT records at ${name} belongs to your signer? The signer shows the complete record for the selector ${one.report.selector}. Keep that record. If another server signs for ${one.report.domain}, give that server its own selector before you delete its key.`,
          ),
        ];
  const isSound = !readDkimKey(name, [kept], []).faults.some(({ severity }) => severity === 'fail');
  const corrected = correctKeyRecord(kept);
  const isShared = unused.some(
    (text) => keys.includes(text) && correctKeyRecord(text) !== corrected,
  );
  return [
    ...(isSound || corrected === null ? [] : [dnsStep(name, 'TXT', corrected, [kept])]),
    ...moved.flatMap((text, i) => moveSteps(one, text, i)),
    ...(isShared ? [askForSigners(name)] : []),
    ...(moved.length + unused.length > 0 ? [deleteStep(name, 'TXT', [...moved, ...unused])] : []),
  ];
}

/** Returns the steps that give a key a selector of its own, before its record at the shared one is deleted. */
function moveSteps({ report }: DkimFact, text: string, place: number): readonly Step[] {
  const type = isRsa(text) ? 'RSA' : 'Ed25519';
  const selector = `${report.selector}-${type === 'RSA' ? place + 2 : 'ed25519'}`;
  return [
    dnsStep(`${selector}._domainkey.${report.domain}`, 'TXT', correctKeyRecord(text) ?? text),
    wordsStep(
      'server',
      `Then have your signer use the selector ${selector} (s=) for the signature that it makes with this ${type} key. The other signature keeps the selector ${report.selector}.`,
      'sender',
      'dkim.s',
    ),
  ];
}

const askForSigners = (name: string): Step =>
  askStep(
    `Does another server still sign with a key at ${name} that you are about to delete? If so, first give that server its own selector, and publish its key there.`,
  );

/**
 * Returns a step that tells the reader to publish the record that their signer shows, because only the signer
 * has the key that belongs to its signatures.
 */
export const shownKeyStep = (one: DkimFact, what: string): Step => ({
  ...wordsStep(
    'dns',
    `Copy the complete DKIM record for the selector ${one.report.selector} from your signing system. ${what} ${keyName(one)}. If your DNS host limits a string to 255 characters, split the text into several strings of that one record.`,
    'domain_owner',
    keyName(one),
  ),
  type: 'TXT',
});

/**
 * Returns the step for a name without any key. Only the signer knows whether the record is the key itself or
 * an alias (CNAME) of the name at which a service publishes it.
 */
function missingKeyStep(one: DkimFact, facts: Facts): Step {
  const { selector } = one.report;
  const platform = platformOf(facts);
  const step = shownKeyStep(
    one,
    'Publish it, as TXT or as an alias (CNAME), as the only record at',
  );
  return platform === undefined
    ? step
    : {
        ...step,
        value: `You send through ${platform.name}. ${platform.dkim} If your own server signs with the selector ${selector} instead, publish the TXT record that it shows, at ${keyName(one)}.`,
      };
}

/**
 * Returns the steps for a signature made with a different key from the published one, if another signature
 * proves that the content did not change.
 */
export const wrongKeySteps = (one: DkimFact, facts: Facts): readonly Step[] => [
  shownKeyStep(one, 'Publish it as the only TXT record at'),
  ...spareSteps(one, facts),
];

/** Returns the step for a header field that was added after signing. */
export const addedHeaderStep = (header: string): Step =>
  wordsStep(
    'server',
    `Sign only after ${header} has been added: have the program that writes the email set it, or make signing the last step. If neither is possible, leave ${header} out of the headers that your signer signs (h=).`,
    'sender',
    'dkim.order',
  );
