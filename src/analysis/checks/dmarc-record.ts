import type { DmarcFacts, Facts } from '../facts.ts';
import { cleanRecord, type Tags, tagOf, withTags } from '../records/correct-dmarc.ts';

/** The name whose record is to be changed: the organizational domain's when it is inherited. */
export const recordDomain = ({ report, ignored }: DmarcFacts, { names }: Facts): string =>
  report.record_domain ?? ignored?.name ?? names.fromDomain ?? 'YOUR.DOMAIN';

/** The record cleaned; one that has no address for reports gets one, so that somebody reads them. */
export const withReports = (tags: Tags, domain: string): string =>
  tagOf(tags, 'rua') ? cleanRecord(tags) : withTags(tags, { rua: `mailto:dmarc@${domain}` });
