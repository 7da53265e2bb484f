/**
 * Builds the steps that publish a first DMARC record, or move one to the name at which receivers look for it.
 */

import { askStep, deleteStep, dnsStep, mailboxStep, type Step } from '../advice/actions.ts';
import { isOwnName } from '../advice/ownership.ts';
import { askBeforePolicy } from '../advice/place.ts';
import type { Misplaced } from '../dkim/facts.ts';
import type { Facts } from '../facts.ts';
import { lacksOnlyPolicy } from '../names/parked.ts';
import { startAtNone, tagOf, withTags } from './correct.ts';
import { reportAddress } from './corrected-record.ts';
import type { DmarcFacts } from './facts.ts';
import { asIntended } from './near-miss.ts';
import { tagsOf } from './parse.ts';
import { parkedQuestion } from './questions.ts';
import { straySteps } from './stray-texts.ts';

/**
 * Returns the organizational domain according to the Public Suffix List, at which the first record should be
 * published.
 */
export const listedOrganization = (dmarc: DmarcFacts | undefined, { names }: Facts): string =>
  dmarc?.report.organizational_domain_psl ?? names.fromDomain ?? 'your domain';

/** The record of a domain that does not send mail. */
const REFUSE_ALL = 'v=DMARC1; p=reject';

/** Returns the question to answer before a first record is published at a domain without a mail host. */
const askForMailbox = (domain: string): Step =>
  askStep(
    `Which mailbox can receive the reports? ${domain} itself has no mail host (MX). Add rua=mailto: and the address of that mailbox, or of a service that shows the reports as charts, to the record below before you publish it.`,
  );

/**
 * Returns the steps that publish a first record with the policy none. A record with that policy does not
 * affect delivery, and its reports show who sends mail for the domain.
 */
export function firstRecordSteps(dmarc: DmarcFacts, facts: Facts): readonly Step[] {
  const domain = listedOrganization(dmarc, facts);
  if (!isOwnName(domain, facts)) return [];
  const { elsewhere } = dmarc;
  if (elsewhere?.asText !== undefined)
    return nameInTextSteps(domain, elsewhere.name, elsewhere.asText);
  if (elsewhere?.alias !== undefined)
    return [
      askBeforePolicy(elsewhere.alias),
      dnsStep(`_dmarc.${domain}`, 'CNAME', `${elsewhere.alias}.`),
      deleteMisplaced(elsewhere),
    ];
  if (lacksOnlyPolicy(facts) && !elsewhere)
    return [
      parkedQuestion(domain),
      dnsStep(`_dmarc.${domain}`, 'TXT', REFUSE_ALL),
      ...straySteps(dmarc, domain, REFUSE_ALL, facts),
    ];
  const tags = elsewhere
    ? startAtNone(tagsOf(asIntended(elsewhere.record)))
    : [['p', 'none'] as const];
  const rua = tagOf(tags, 'rua') ?? reportAddress(domain, facts);
  const record = withTags(tags, rua === null ? {} : { rua });
  return [
    ...newMailbox(record, elsewhere?.record ?? '', domain, facts),
    ...(rua === null ? [askForMailbox(domain)] : []),
    dnsStep(`_dmarc.${domain}`, 'TXT', record),
    ...straySteps(dmarc, domain, record, facts),
    ...(elsewhere ? [deleteMisplaced(elsewhere)] : []),
  ];
}

/**
 * Returns the step that deletes a misplaced record. If the record is behind an alias, only the alias is
 * deleted.
 */
const deleteMisplaced = ({ name, record, alias }: Misplaced): Step =>
  alias === undefined ? deleteStep(name, 'TXT', [record]) : deleteStep(name, 'CNAME', [alias]);

/**
 * Returns the steps that replace a TXT record with an alias (CNAME) to the name in its text. The alias also
 * puts the policy at that name into force.
 */
const nameInTextSteps = (domain: string, target: string, text: string): readonly Step[] => [
  askBeforePolicy(target),
  deleteStep(`_dmarc.${domain}`, 'TXT', [text]),
  dnsStep(`_dmarc.${domain}`, 'CNAME', `${target}.`),
];

/**
 * Returns a step that creates the mailbox of a report address that we propose. The mailbox may not exist yet,
 * because the sender has not published its address.
 */
export function newMailbox(
  record: string,
  before: string,
  domain: string,
  facts: Facts,
): readonly Step[] {
  const address = reportAddress(domain, facts)?.replace('mailto:', '');
  const isNew = address && record.includes(address) && !before.includes(address);
  return isNew ? [mailboxStep(address)] : [];
}
