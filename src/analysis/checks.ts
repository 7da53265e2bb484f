import { arcChain } from './arc/checks.ts';
import { bimiDmarcReady, bimiRecord } from './bimi/checks.ts';
import { bimiCertificate, bimiLogo } from './bimi/logo-checks.ts';
import type { Check } from './check.ts';
import { connectionTls, heloMatchesPtr, heloValid } from './connection/checks.ts';
import { rdnsFcrdns, rdnsGeneric, rdnsMultiple, rdnsPtr } from './connection/rdns-checks.ts';
import { dkimPresent } from './dkim/checks.ts';
import { dkimExpired, dkimLengthTag } from './dkim/expired-checks.ts';
import { dkimCanonicalization, dkimHeadersSigned } from './dkim/headers-signed-checks.ts';
import { dkimAlgorithm, dkimKeySize } from './dkim/key-checks.ts';
import { dkimKeyRecord, dkimKeyTesting } from './dkim/key-testing-checks.ts';
import { dkimValid } from './dkim/valid-check.ts';
import { dmarcAlignment } from './dmarc/alignment-check.ts';
import { dmarcRecord, dmarcRecordValid } from './dmarc/checks.ts';
import { dmarcInherited, dmarcLegacyTags } from './dmarc/legacy-tags-checks.ts';
import { dmarcPolicy, dmarcSubdomainPolicy } from './dmarc/policy-checks.ts';
import { dmarcRua } from './dmarc/rua-checks.ts';
import { duplicateHeaders, eightBitHeaders } from './headers/checks.ts';
import { dateHeader, messageId } from './headers/date-header-checks.ts';
import {
  fromDisplayName,
  fromDomainFreemail,
  fromDomainLookalike,
} from './headers/from-display-name-checks.ts';
import { fromHeader } from './headers/identity-checks.ts';
import { internalHeadersLeak } from './headers/internal-headers-leak-check.ts';
import { replyTo } from './headers/reply-to-check.ts';
import { subjectHeader, toHeader } from './headers/to-header-checks.ts';
import { hiddenText, htmlQuality, htmlSize } from './html/checks.ts';
import { imageOnly, imagesAlt, imagesEmbedded, trackingPixel } from './html/image-checks.ts';
import { activeContent, preheader } from './html/preheader-checks.ts';
import { impersonation } from './impersonation/checks.ts';
import { linkShortener, linkTextMismatch } from './links/checks.ts';
import { linkCount, linkMalformed, linkOffdomain } from './links/link-count-checks.ts';
import { linkHomograph, linkHttps, linkIpHost } from './links/link-ip-host-checks.ts';
import { linkReputation } from './links/link-reputation-check.ts';
import { attachmentTypes } from './mime/attachment-types-check.ts';
import { messageSize, mimeStructure } from './mime/checks.ts';
import { bareNewlines, charsetDeclared, lineLength } from './mime/line-length-checks.ts';
import { inboundProviderSpam, inboundVerdictMismatch } from './provider/checks.ts';
import { spamcopListed } from './reputation/checks.ts';
import { dnsblListed } from './reputation/dnsbl-check.ts';
import { envelopeDomainMx } from './reputation/envelope-domain-mx-check.ts';
import { fromDomainMx } from './reputation/from-domain-mx-check.ts';
import { spfAllQualifier } from './spf/all-qualifier-check.ts';
import { spfMultipleRecords, spfRecord } from './spf/checks.ts';
import { spfLookupLimit, spfVoidLookups } from './spf/lookup-limit-checks.ts';
import { spfResult } from './spf/result-check.ts';
import { spfHelo, spfSyntax } from './spf/syntax-checks.ts';
import {
  spamPhrases,
  templatePlaceholders,
  textAlternative,
  textHtmlMismatch,
} from './text/checks.ts';
import { mtaSts, tlsRpt } from './transport/checks.ts';
import { bulkMarkers } from './unsubscribe/bulk-checks.ts';
import { listUnsubscribe } from './unsubscribe/checks.ts';
import { listUnsubscribeSyntax, oneClick } from './unsubscribe/list-unsubscribe-syntax-checks.ts';
import { bodyUnsubscribe, oneClickSigned } from './unsubscribe/one-click-signed-checks.ts';

/** Every check, in the order of reports: a gate stands before what it hides. */
export const checks: readonly Check[] = [
  spfRecord,
  spfMultipleRecords,
  spfResult,
  spfLookupLimit,
  spfVoidLookups,
  spfAllQualifier,
  spfSyntax,
  spfHelo,
  dkimPresent,
  dkimValid,
  dkimKeySize,
  dkimAlgorithm,
  dkimExpired,
  dkimLengthTag,
  dkimHeadersSigned,
  dkimKeyTesting,
  dkimKeyRecord,
  dkimCanonicalization,
  dmarcAlignment,
  dmarcRecord,
  dmarcRecordValid,
  dmarcPolicy,
  dmarcSubdomainPolicy,
  dmarcRua,
  dmarcLegacyTags,
  dmarcInherited,
  arcChain,
  bimiRecord,
  bimiDmarcReady,
  bimiLogo,
  bimiCertificate,
  rdnsPtr,
  rdnsFcrdns,
  rdnsGeneric,
  rdnsMultiple,
  heloValid,
  heloMatchesPtr,
  connectionTls,
  inboundProviderSpam,
  inboundVerdictMismatch,
  spamcopListed,
  dnsblListed,
  fromDomainMx,
  envelopeDomainMx,
  mtaSts,
  tlsRpt,
  fromHeader,
  duplicateHeaders,
  mimeStructure,
  lineLength,
  bareNewlines,
  eightBitHeaders,
  dateHeader,
  messageId,
  toHeader,
  subjectHeader,
  charsetDeclared,
  fromDisplayName,
  fromDomainFreemail,
  fromDomainLookalike,
  impersonation,
  replyTo,
  bulkMarkers,
  internalHeadersLeak,
  listUnsubscribe,
  listUnsubscribeSyntax,
  oneClick,
  oneClickSigned,
  bodyUnsubscribe,
  textAlternative,
  textHtmlMismatch,
  htmlSize,
  messageSize,
  hiddenText,
  htmlQuality,
  spamPhrases,
  templatePlaceholders,
  preheader,
  imageOnly,
  imagesAlt,
  imagesEmbedded,
  trackingPixel,
  activeContent,
  attachmentTypes,
  linkTextMismatch,
  linkShortener,
  linkIpHost,
  linkHttps,
  linkHomograph,
  linkCount,
  linkOffdomain,
  linkMalformed,
  linkReputation,
];

const byId = new Map(checks.map((one) => [one.id, one]));

/** The check of that id; `undefined` when there is none. */
export const findCheck = (id: string): Check | undefined => byId.get(id);
