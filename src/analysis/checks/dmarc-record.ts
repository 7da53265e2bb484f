import type { DmarcFacts, Facts } from '../facts.ts';
import { ifKnown } from '../looked.ts';
import { cleanRecord, type Tags, tagOf, withTags } from '../records/correct-dmarc.ts';

/** The name whose record is to be changed: the organizational domain's when it is inherited. */
export const recordDomain = ({ report, ignored }: DmarcFacts, { names }: Facts): string =>
  report.record_domain ?? ignored?.name ?? names.fromDomain ?? 'YOUR.DOMAIN';

/** For reports: at the domain of the record, unless that is known to take no mail. */
export function reportAddress(dmarc: DmarcFacts, facts: Facts): string {
  const domain = recordDomain(dmarc, facts);
  const { fromDomain, fromMx } = facts.names;
  const takesNoMail = domain === fromDomain && ifKnown(fromMx)?.mx.length === 0;
  return takesNoMail ? 'mailto:ADDRESS@YOUR.MAIL.DOMAIN' : `mailto:dmarc@${domain}`;
}

/** The record cleaned; one that has no address for reports gets one, so that somebody reads them. */
export const withReports = (tags: Tags, dmarc: DmarcFacts, facts: Facts): string =>
  tagOf(tags, 'rua') ? cleanRecord(tags) : withTags(tags, { rua: reportAddress(dmarc, facts) });
