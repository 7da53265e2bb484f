import { arcChain } from './arc/checks.ts';
import { bimiCertificate, bimiLogo } from './bimi/logo-checks.ts';
import { bimiDmarcReady, bimiRecord } from './bimi/record-checks.ts';
import type { Check } from './check.ts';
import { connectionTls, heloMatchesPtr, heloValid } from './connection/helo-and-tls-checks.ts';
import { rdnsFcrdns, rdnsGeneric, rdnsMultiple, rdnsPtr } from './connection/rdns-checks.ts';
import { dkimKeyRecord, dkimKeyTesting, dkimPresent } from './dkim/checks.ts';
import { dkimAlgorithm, dkimKeySize } from './dkim/key-checks.ts';
import {
  dkimCanonicalization,
  dkimExpired,
  dkimHeadersSigned,
  dkimLengthTag,
} from './dkim/signature-checks.ts';
import { dkimValid } from './dkim/valid-check.ts';
import { dmarcAlignment } from './dmarc/alignment-check.ts';
import { dmarcRecord, dmarcRecordValid } from './dmarc/checks.ts';
import { dmarcInherited, dmarcLegacyTags, dmarcRua } from './dmarc/legacy-tags-checks.ts';
import { dmarcPolicy, dmarcSubdomainPolicy } from './dmarc/policy-checks.ts';
import { dateHeader, messageId } from './headers/date-and-id-checks.ts';
import {
  duplicateHeaders,
  eightBitHeaders,
  internalHeadersLeak,
  replyTo,
} from './headers/field-checks.ts';
import { fromHeader } from './headers/from-header-check.ts';
import {
  fromDisplayName,
  fromDomainFreemail,
  fromDomainLookalike,
} from './headers/from-identity-checks.ts';
import { subjectHeader, toHeader } from './headers/to-and-subject-checks.ts';
import { activeContent, htmlQuality, htmlSize, preheader } from './html/document-checks.ts';
import { hiddenText } from './html/hidden-text-check.ts';
import { imageOnly, imagesAlt, imagesEmbedded, trackingPixel } from './html/image-checks.ts';
import { impersonation } from './impersonation/checks.ts';
import { linkHomograph, linkHttps, linkIpHost } from './links/host-checks.ts';
import { linkCount, linkMalformed, linkOffdomain } from './links/shape-checks.ts';
import { linkReputation, linkShortener, linkTextMismatch } from './links/target-checks.ts';
import { attachmentTypes } from './mime/attachment-types-check.ts';
import { bareNewlines, charsetDeclared, lineLength } from './mime/line-checks.ts';
import { messageSize, mimeStructure } from './mime/structure-checks.ts';
import { inboundProviderSpam, inboundVerdictMismatch } from './provider/checks.ts';
import { dane, dnssec } from './receiving/dane-and-dnssec-checks.ts';
import { mxIpv6, nsIpv6 } from './receiving/ipv6-checks.ts';
import { mxCertificate, mxStarttls } from './receiving/starttls-checks.ts';
import { dnsblListed, spamcopListed } from './reputation/blocklist-checks.ts';
import { domainListed } from './reputation/domain-check.ts';
import { envelopeDomainMx, fromDomainMx } from './reputation/mx-checks.ts';
import { mailerClaim, receivedChain, receivedTls } from './route/checks.ts';
import { receivedTimes } from './route/times-check.ts';
import { spfAllQualifier } from './spf/all-qualifier-check.ts';
import { spfLookupLimit, spfVoidLookups } from './spf/lookup-limit-checks.ts';
import { spfMultipleRecords, spfRecord } from './spf/record-checks.ts';
import { spfResult } from './spf/result-check.ts';
import { spfHelo, spfSyntax } from './spf/syntax-checks.ts';
import {
  spamPhrases,
  templatePlaceholders,
  textAlternative,
  textHtmlMismatch,
} from './text/checks.ts';
import { mtaSts, tlsRpt } from './transport/checks.ts';
import { bulkMarkers, listUnsubscribe } from './unsubscribe/list-unsubscribe-checks.ts';
import { bodyUnsubscribe, oneClickSigned } from './unsubscribe/signed-and-body-checks.ts';
import { listUnsubscribeSyntax, oneClick } from './unsubscribe/syntax-checks.ts';

/**
 * Lists every check in the order in which a report shows the findings. A gate comes before the checks that
 * depend on it.
 */
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
  receivedTls,
  inboundProviderSpam,
  inboundVerdictMismatch,
  spamcopListed,
  dnsblListed,
  domainListed,
  fromDomainMx,
  envelopeDomainMx,
  mtaSts,
  tlsRpt,
  dnssec,
  dane,
  mxIpv6,
  nsIpv6,
  mxStarttls,
  mxCertificate,
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
  receivedChain,
  receivedTimes,
  mailerClaim,
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

/** Returns the check with the given id, or `undefined` if there is none. */
export const findCheck = (id: string): Check | undefined => byId.get(id);
