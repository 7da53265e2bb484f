import { arcChain } from './arc/checks.ts';
import { bimiCertificate, bimiDmarcReady, bimiLogo, bimiRecord } from './bimi/checks.ts';
import { connectionTls, heloMatchesPtr, heloValid } from './connection/checks.ts';
import { rdnsFcrdns, rdnsGeneric, rdnsMultiple, rdnsPtr } from './connection/rdns-checks.ts';
import type { Check } from './define-check.ts';
import {
  dkimCanonicalization,
  dkimExpired,
  dkimHeadersSigned,
  dkimLengthTag,
  dkimPresent,
  dkimValid,
} from './dkim/checks.ts';
import { dkimAlgorithm, dkimKeyRecord, dkimKeySize, dkimKeyTesting } from './dkim/key-checks.ts';
import { dmarcAlignment } from './dmarc/alignment-check.ts';
import {
  dmarcInherited,
  dmarcLegacyTags,
  dmarcPolicy,
  dmarcRecord,
  dmarcRecordValid,
  dmarcSubdomainPolicy,
} from './dmarc/checks.ts';
import { dmarcRua } from './dmarc/rua-checks.ts';
import {
  dateHeader,
  duplicateHeaders,
  eightBitHeaders,
  internalHeadersLeak,
  messageId,
  subjectHeader,
  toHeader,
} from './headers/checks.ts';
import {
  fromDisplayName,
  fromDomainFreemail,
  fromDomainLookalike,
  fromHeader,
  replyTo,
} from './headers/identity-checks.ts';
import { activeContent, hiddenText, htmlQuality, htmlSize, preheader } from './html/checks.ts';
import { imageOnly, imagesAlt, imagesEmbedded, trackingPixel } from './html/image-checks.ts';
import { impersonation } from './impersonation/checks.ts';
import {
  linkCount,
  linkHomograph,
  linkHttps,
  linkIpHost,
  linkMalformed,
  linkOffdomain,
  linkReputation,
  linkShortener,
  linkTextMismatch,
} from './links/checks.ts';
import {
  attachmentTypes,
  bareNewlines,
  charsetDeclared,
  lineLength,
  messageSize,
  mimeStructure,
} from './mime/checks.ts';
import { inboundProviderSpam, inboundVerdictMismatch } from './provider/checks.ts';
import { envelopeDomainMx, fromDomainMx, spamcopListed } from './reputation/checks.ts';
import { dnsblListed } from './reputation/dnsbl-check.ts';
import { spfAllQualifier } from './spf/all-qualifier-check.ts';
import { spfHelo, spfMultipleRecords, spfRecord, spfResult, spfSyntax } from './spf/checks.ts';
import { spfLookupLimit, spfVoidLookups } from './spf/lookup-limit-checks.ts';
import {
  spamPhrases,
  templatePlaceholders,
  textAlternative,
  textHtmlMismatch,
} from './text/checks.ts';
import { mtaSts, tlsRpt } from './transport/checks.ts';
import { bulkMarkers } from './unsubscribe/bulk-checks.ts';
import {
  bodyUnsubscribe,
  listUnsubscribe,
  listUnsubscribeSyntax,
  oneClick,
  oneClickSigned,
} from './unsubscribe/checks.ts';

/** The checks that run, in the order of the catalogue. */
export const allChecks: readonly Check[] = [
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
