import type { Fields } from './field.ts';

/** The report's own members, and the lists of findings. */
export const reportFields: Fields = {
  schema_version: ['Version of the layout. A new key does not change it.', '1'],
  test_id: ['The test.', 'samplereport'],
  received_at: ['When the mail arrived.', '2026-11-20T10:01:00.000Z'],
  analyzed_at: ['When the analysis ended.', '2026-11-20T10:01:01.000Z'],
  score: ['0 to 100: what of the configuration and the content is in order.', 87],
  grade: ['A from 90, B from 75, C from 60, D from 40, F below.', 'B'],
  top_fixes: ['At most three findings to mend first, of those that cost points.'],
  'top_fixes[]': ['One thing to mend.'],
  'top_fixes[].id': ['The finding it comes from.', 'dmarc_policy'],
  'top_fixes[].title': ['What was checked.', 'DMARC policy'],
  'top_fixes[].fix': ['What to do, with the record or header to publish.', 'Publish p=reject.'],
  suggestions: ['Improvements that do not lower the score.'],
  'suggestions[]': ['One improvement.'],
  'suggestions[].id': ['The finding it comes from.', 'tls_rpt'],
  'suggestions[].title': ['What was checked.', 'TLS-RPT record'],
  'suggestions[].fix': [
    'What to do, with the record or header to publish.',
    'Publish a TXT record.',
  ],
  message: ['Facts about the mail; never its subject, text, local parts, file names or URL paths.'],
  connection: ['Facts about the sending connection. A key that is missing is not known.'],
  cloudflare: ["The inbound provider's own verdicts; absent when the mail came by direct SMTP."],
  authentication: ['SPF, DKIM, DMARC, ARC and BIMI, evaluated by this service.'],
  transport_policy: ['What the From domain publishes about TLS for the mail it receives.'],
  links: ['The hosts that links name. Links are never opened, nor resolved.'],
  findings: ['The result of every check that applies.'],
  'findings[]': ['One result.'],
  'findings[].id': ['The check. Explained at `/findings/{id}`.', 'spf_result'],
  'findings[].area': ['What the check is about.', 'spf'],
  'findings[].severity': [
    '`fail` and `warn` cost points or wait for attention; `info` and `pass` cost nothing.',
    'pass',
  ],
  'findings[].title': ['What was checked.', 'SPF result for the sending IP'],
  'findings[].detail': [
    'What was measured, and the limit.',
    '192.0.2.25 passes for sender.example.',
  ],
  'findings[].fix': ['What to do, if anything.', 'Add "ip4:192.0.2.25" to the SPF record.'],
  notes: [
    'How the score came about, and what the report does not say.',
    ['The report measures configuration and content, not inbox placement.'],
  ],
  partial_errors: [
    'Lookups without an answer: what they would decide is unknown.',
    ['PTR: TIMEOUT'],
  ],
};
