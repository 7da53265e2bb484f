/** Names the header fields that a signature covers, without the sender's own words. */

import { splitWords as words } from '../syntax/words.ts';

/**
 * Names of header fields that a report may show, in lower case: registered names, and those that widespread
 * software writes. Any other name may contain the sender's own words.
 */
const COMMON_FIELDS: ReadonlySet<string> = new Set([
  ...words('from sender reply-to to cc bcc subject date message-id in-reply-to references'),
  ...words('comments keywords return-path received organization organisation user-agent'),
  ...words(
    'resent-from resent-sender resent-to resent-cc resent-bcc resent-date resent-message-id',
  ),
  ...words('mime-version content-type content-transfer-encoding content-id content-description'),
  ...words('content-disposition content-language content-location content-class thread-topic'),
  ...words('thread-index list-id list-unsubscribe list-unsubscribe-post list-help list-subscribe'),
  ...words('list-post list-owner list-archive feedback-id precedence auto-submitted importance'),
  ...words('priority sensitivity disposition-notification-to return-receipt-to errors-to'),
  ...words(
    'mail-followup-to mail-reply-to reply-by expires autocrypt openpgp face require-recipient',
  ),
  ...words('dkim-signature authentication-results received-spf bimi-selector bimi-indicator'),
  ...words('arc-seal arc-message-signature arc-authentication-results tls-required cfbl-address'),
  ...words('cfbl-feedback-id x-mailer x-priority x-msmail-priority x-mimeole x-report-abuse'),
  ...words('x-report-abuse-to x-auto-response-suppress x-entity-ref-id x-entity-id x-campaign'),
  ...words('x-campaign-id x-campaignid x-mailgun-sid x-mailgun-tag x-mailgun-variables x-sg-eid'),
  ...words('x-sg-id x-ses-outgoing x-ses-configuration-set x-mc-user x-mandrill-user x-mj-mid'),
  ...words('x-mj-errormessage x-mailin-eid x-mailin-client x-mailin-campaign x-pm-message-id'),
  ...words(
    'x-pm-tag x-pm-message-options x-csa-complaints x-google-dkim-signature x-gm-message-state',
  ),
  ...words('x-google-smtp-source x-forwarded-to x-forwarded-for x-originating-ip x-php-script'),
  ...words(
    'x-php-originating-script x-spam-status x-spam-flag x-spam-score x-me-sender x-me-proxy',
  ),
  ...words('x-ms-exchange-senderadcheck x-ms-exchange-messagesentrepresentingtype'),
  ...words('x-ms-exchange-antispam-messagedata x-ms-has-attach x-ms-tnef-correlator'),
  ...words('x-microsoft-antispam x-microsoft-antispam-message-info x-ms-exchange-antispam-relay'),
  ...words(
    'x-hs-cid x-feedback-id x-sfmc-stack x-job x-binding x-virtualserver x-virtualservergroup',
  ),
  ...words(
    'x-messageid x-message-id x-mailer-recptid x-destination-id x-linkedin-class x-github-sender',
  ),
  ...words(
    'x-github-recipient x-github-reason x-facebook x-ymail-osg x-sonic-mf x-apple-mail-version',
  ),
  ...words('x-universally-unique-identifier x-sender x-return-path x-proofpoint-guid'),
  ...words('x-proofpoint-orig-guid x-mimecast-spam-score x-mimecast-originator'),
]);

/** Returns the name of a well-known header field, or `other`. A sender may make up any other name. */
export const shownField = (name: string): string => (COMMON_FIELDS.has(name) ? name : 'other');
