import * as arc from './arc/checks.ts';
import * as bimi from './bimi/checks.ts';
import * as connection from './connection/checks.ts';
import * as connectionRdns from './connection/rdns-checks.ts';
import type { Check } from './define-check.ts';
import * as dkim from './dkim/checks.ts';
import * as dkimKey from './dkim/key-checks.ts';
import * as dmarcAlignment from './dmarc/alignment-check.ts';
import * as dmarc from './dmarc/checks.ts';
import * as dmarcRua from './dmarc/rua-checks.ts';
import * as headers from './headers/checks.ts';
import * as headersIdentity from './headers/identity-checks.ts';
import * as html from './html/checks.ts';
import * as htmlImage from './html/image-checks.ts';
import * as impersonation from './impersonation/checks.ts';
import * as links from './links/checks.ts';
import * as mime from './mime/checks.ts';
import * as provider from './provider/checks.ts';
import * as reputation from './reputation/checks.ts';
import * as reputationDnsbl from './reputation/dnsbl-check.ts';
import * as spfAllQualifier from './spf/all-qualifier-check.ts';
import * as spf from './spf/checks.ts';
import * as spfLookupLimit from './spf/lookup-limit-checks.ts';
import * as text from './text/checks.ts';
import * as transport from './transport/checks.ts';
import * as unsubscribeBulk from './unsubscribe/bulk-checks.ts';
import * as unsubscribe from './unsubscribe/checks.ts';

/** Every module that defines checks. */
const modules = [
  arc,
  bimi,
  connection,
  connectionRdns,
  dkim,
  dkimKey,
  dmarcAlignment,
  dmarc,
  dmarcRua,
  headers,
  headersIdentity,
  html,
  htmlImage,
  impersonation,
  links,
  mime,
  provider,
  reputation,
  reputationDnsbl,
  spfAllQualifier,
  spf,
  spfLookupLimit,
  text,
  transport,
  unsubscribeBulk,
  unsubscribe,
];

const isCheck = (member: unknown): member is Check =>
  typeof member === 'object' && member !== null && 'ladder' in member;

/** The checks that run: what those modules export, but for their helpers. */
export const allChecks: readonly Check[] = modules.flatMap((module) =>
  Object.values<unknown>(module).filter(isCheck),
);
