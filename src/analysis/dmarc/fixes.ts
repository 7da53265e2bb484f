import {
  askStep,
  deleteStep,
  dnsStep,
  mailboxStep,
  type Others,
  type Step,
} from '../advice/actions.ts';
import { publicFrom, signingDomain } from '../advice/fill.ts';
import { isOwnName } from '../advice/ownership.ts';
import { askBeforePolicy, isBorrowed } from '../advice/place.ts';
import { handedOn } from '../advice/whose-server.ts';
import type { DkimFact, Misplaced } from '../dkim/facts.ts';
import { signatureSteps, signingSteps } from '../dkim/fixes.ts';
import { isUndecided, passes } from '../dkim/results.ts';
import type { Facts } from '../facts.ts';
import { ifKnown, isUnseen } from '../lookup-result.ts';
import { isFreemail } from '../names/domain-names.ts';
import { cleanRecord, startAtNone, tagOf, withAddressesOf, withTags } from './correct.ts';
import type { DmarcFacts } from './facts.ts';
import { tagsOf } from './parse.ts';
import { correctedRecord, isSameRecord, recordDomain, reportAddress } from './record.ts';
import { asIntended } from './tree-walk.ts';
import { strictMisses } from './unaligned.ts';

/** The organizational domain by the Public Suffix List, where a first record belongs. */
export const listedOrganization = (dmarc: DmarcFacts | undefined, { names }: Facts): string =>
  dmarc?.report.organizational_domain_psl ?? names.fromDomain ?? 'your domain';

/** The record with which everybody begins: it changes nothing, and reports show who sends. */
export function firstRecordSteps(dmarc: DmarcFacts, facts: Facts): readonly Step[] {
  const domain = listedOrganization(dmarc, facts);
  if (!isOwnName(domain, facts)) return [];
  const { elsewhere } = dmarc;
  if (elsewhere?.asText !== undefined)
    return nameInTextSteps(domain, elsewhere.name, elsewhere.asText);
  const tags = elsewhere
    ? startAtNone(tagsOf(asIntended(elsewhere.record)))
    : [['p', 'none'] as const];
  const rua = tagOf(tags, 'rua') ?? reportAddress(domain, facts);
  const record = withTags(tags, rua === null ? {} : { rua });
  return [
    ...newMailbox(record, elsewhere?.record ?? '', domain, facts),
    dnsStep(`_dmarc.${domain}`, 'TXT', record),
    ...(elsewhere ? [deleteMisplaced(elsewhere)] : []),
  ];
}

/** Only the alias goes where the record is behind one. */
const deleteMisplaced = ({ name, record, alias }: Misplaced): Step =>
  alias === undefined ? deleteStep(name, 'TXT', [record]) : deleteStep(name, 'CNAME', [alias]);

/** An alias in place of a text that holds its target. It brings the policy there with it. */
const nameInTextSteps = (domain: string, target: string, text: string): readonly Step[] => [
  askBeforePolicy(target),
  deleteStep(`_dmarc.${domain}`, 'TXT', [text]),
  dnsStep(`_dmarc.${domain}`, 'CNAME', `${target}.`),
];

/** The mailbox of a report address that the sender did not publish: it may not exist. */
function newMailbox(record: string, before: string, domain: string, facts: Facts): readonly Step[] {
  const address = reportAddress(domain, facts)?.replace('mailto:', '');
  const isNew = address && record.includes(address) && !before.includes(address);
  return isNew ? [mailboxStep(address)] : [];
}

/** The corrected record in place of what is there; nothing where it is right already. */
function correctionSteps(dmarc: DmarcFacts, facts: Facts): readonly Step[] {
  const domain = recordDomain(dmarc, facts);
  const name = `_dmarc.${domain}`;
  const record = correctedRecord(dmarc, facts);
  const published = dmarc.published ?? [];
  const isRight =
    dmarc.ignoredBecause === null &&
    dmarc.lint.length === 0 &&
    published.length === 1 &&
    isSameRecord(dmarc.tags, tagsOf(record));
  const isThere = isRight || (published.length === 1 && published[0] === record);
  const mailbox = newMailbox(record, tagOf(dmarc.tags, 'rua') ?? '', domain, facts);
  // The texts of a domain or host that the name leads to stay: the record gets a place of its own.
  if (hasStrays(dmarc) && isBorrowed(name, facts))
    return isThere
      ? [dnsStep(name, 'TXT', published[0] ?? record, published)]
      : [...mailbox, dnsStep(name, 'TXT', record, published)];
  return isThere ? [] : [...mailbox, dnsStep(name, 'TXT', record, published)];
}

const hasStrays = ({ strays = [] }: DmarcFacts): boolean => strays.length > 0;

/** The corrected record, and what to do about other texts at its name. */
export function recordSteps(dmarc: DmarcFacts, facts: Facts): readonly Step[] {
  return [...correctionSteps(dmarc, facts), ...strayStepsOf(dmarc, facts)];
}

/** Texts at the name of the record that receivers ignore: whether they are needed only their owner knows. */
function strayStepsOf(dmarc: DmarcFacts, facts: Facts): readonly Step[] {
  const { strays = [] } = dmarc;
  const name = `_dmarc.${recordDomain(dmarc, facts)}`;
  if (strays.length === 0 || isBorrowed(name, facts)) return [];
  const record = correctedRecord(dmarc, facts);
  const merged = withAddressesOf(record, strays);
  const ignored = `Receivers ignore what is not a DMARC record at ${name}: ${strays.join(' and ')}.`;
  return merged === record
    ? [
        askStep(`${ignored} Does a service of yours need it there? If not, delete it.`),
        deleteStep(name, 'TXT', strays),
      ]
    : [
        askStep(
          `${ignored} Nobody sends reports to the addresses in it. Do you want reports there? If so, publish the record with these addresses; at another domain, its owner has to accept reports for yours. If not, only delete the text.`,
        ),
        dnsStep(name, 'TXT', merged, [record]),
        deleteStep(name, 'TXT', strays),
      ];
}

/** A signature that would be aligned if it verified. */
export const ownFailure = ({ dkim, dmarc }: Facts): DkimFact | undefined =>
  ifKnown(dkim)?.signatures.find(
    (one) =>
      !passes(one) &&
      !isUndecided(one) &&
      (ifKnown(dmarc)?.report.adkim === 's' ? one.report.strict_aligned : one.ofFromDomain),
  );

/** How a signature comes to be aligned with the From: of one that is there, or of a new one. */
export function alignmentSteps(facts: Facts): readonly Step[] {
  const failure = ownFailure(facts);
  if (failure) return signatureSteps(failure, facts);
  return signingSteps(signingDomain(facts), facts);
}

/** The other way where only strict alignment keeps DMARC from passing: whether it is needed the reader knows. */
export function relaxSteps(dmarc: DmarcFacts, facts: Facts): readonly Step[] {
  const tags = strictMisses(facts).map(({ tag }) => tag);
  const domain = recordDomain(dmarc, facts);
  if (tags.length === 0 || !isOwnName(domain, facts)) return [];
  const relaxed = cleanRecord(
    tagsOf(correctedRecord(dmarc, facts)).filter(([name]) => !tags.some((tag) => tag === name)),
  );
  return [
    askStep(
      `Or may mail of any name under ${listedOrganization(dmarc, facts)} count as yours? That is relaxed alignment, the default. If so, replace the TXT record at _dmarc.${domain} with: ${relaxed}`,
    ),
  ];
}

/**
 * A stricter policy has mail that is not aligned refused: this very mail, to begin with. What somebody
 * else handed on shows nothing of how the sender's own is aligned.
 */
function beforeRaising({ spfAligned, dkimAligned }: DmarcFacts, facts: Facts): readonly Step[] {
  if (spfAligned || dkimAligned || isUnseen(facts.dkim)) return [];
  const elsewhere = handedOn(facts, '');
  return elsewhere ? [askStep(elsewhere.ask, elsewhere.owner)] : alignmentSteps(facts);
}

/**
 * A stricter policy, after what is wrong has been put right and the reports have shown that no mail of
 * the sender's suffers.
 */
export function raiseSteps(dmarc: DmarcFacts, facts: Facts, raised: string): readonly Step[] {
  // Behind its alias the policy is somebody else's to raise.
  if (dmarc.elsewhere?.asText !== undefined) return firstRecordSteps(dmarc, facts);
  const first = correctionSteps(dmarc, facts);
  const corrected = first.length > 0 ? correctedRecord(dmarc, facts) : (dmarc.published?.[0] ?? '');
  if (raised === corrected) return first;
  const aligned = beforeRaising(dmarc, facts);
  const rua = tagOf(tagsOf(correctedRecord(dmarc, facts)), 'rua')
    ?.replace(/mailto:/g, '')
    .replaceAll(',', ' and ');
  return [
    ...first,
    ...aligned,
    askStep(
      `Read the reports${rua ? ` sent to ${rua}` : ''} for a few weeks. Go on only when they show no failing mail of yours.`,
    ),
    dnsStep(
      `_dmarc.${recordDomain(dmarc, facts)}`,
      'TXT',
      raised,
      corrected === '' ? [] : [corrected],
    ),
  ];
}

/** A record that applies and is not the reader's, such as that of a public suffix. */
export function dmarcOthers(dmarc: DmarcFacts, facts: Facts): Others | undefined {
  const domain = recordDomain(dmarc, facts);
  // Of a freemail domain the catalogue says what there is to say.
  if (isOwnName(domain, facts) || isFreemail(facts.names.fromDomain)) return undefined;
  const own = listedOrganization(dmarc, facts);
  return {
    owner: 'platform',
    why: `The DMARC record that applies is at _dmarc.${domain}, which is not yours to change.`,
    ask: `Your own domain ${own} can have a record of its own at _dmarc.${own}, which then applies. Ask who runs ${own} for one.`,
  };
}

/** The record is one thing to put right; raising its policy is another, and comes later. */
export const dmarcCause = (dmarc: DmarcFacts, facts: Facts): string =>
  `dmarc:${recordDomain(dmarc, facts)}`;

export const policyCause = (dmarc: DmarcFacts, facts: Facts): string =>
  `dmarc_policy:${recordDomain(dmarc, facts)}`;

/** So is raising the share of the mail that it is for. */
export const pctCause = (dmarc: DmarcFacts, facts: Facts): string =>
  `dmarc_pct:${recordDomain(dmarc, facts)}`;

/** A policy is raised once the record is right. */
export const waitsForRecord = (dmarc: DmarcFacts, facts: Facts): string | undefined =>
  recordSteps(dmarc, facts).length > 0 ? dmarcCause(dmarc, facts) : undefined;

/** Nothing can be published for a From that has no public domain. */
export const waitsForFrom = (_: DmarcFacts, facts: Facts): string | undefined =>
  publicFrom(facts) === null ? 'from_header' : undefined;
