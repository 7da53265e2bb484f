import type { Static } from '@sinclair/typebox';
import { Finding, Fix } from './report.ts';
import { domain, instant, list, object, text, texts } from './shapes.ts';

/**
 * Schema of the report on a domain, which is made from DNS and other public facts before any email is sent.
 */
export const DomainReport = object(
  'What a domain shows before it sends any mail. It has no score.',
  {
    domain: domain('The domain that was checked.'),
    checked_at: instant('When the domain was examined.', '2026-11-20T12:00:00.000Z'),
    catalogue_version: text('Version of the catalogue of findings.', '1'),
    top_fixes: list(Fix, 'What to do first, at most three.'),
    suggestions: list(Fix, 'Improvements beyond that.'),
    findings: list(Finding, 'Every check that applies to the domain and needs no email.'),
    needs_mail: texts('Checks of the catalogue that only an email can answer.', ['spf_result']),
  },
);
export type DomainReport = Static<typeof DomainReport>;
