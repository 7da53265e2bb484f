import type { Case } from './case.ts';
import { activeCases } from './cases/active.ts';
import { aliasCases } from './cases/aliases.ts';
import { arcCases } from './cases/arc.ts';
import { attachmentCases } from './cases/attachments.ts';
import { bimiCases } from './cases/bimi.ts';
import { connectionCases } from './cases/connection.ts';
import { contentCases } from './cases/content.ts';
import { dkimCases } from './cases/dkim.ts';
import { dmarcCases } from './cases/dmarc.ts';
import { doorCases } from './cases/doors.ts';
import { headerCases } from './cases/headers.ts';
import { identityCases } from './cases/identity.ts';
import { imageCases } from './cases/images.ts';
import { linkCases } from './cases/links.ts';
import { providerCases } from './cases/provider.ts';
import { reputationCases } from './cases/reputation.ts';
import { spfCases } from './cases/spf.ts';
import { structureCases } from './cases/structure.ts';
import { transportCases } from './cases/transport.ts';
import { unsubscribeCases } from './cases/unsubscribe.ts';
import { wayCases } from './cases/way.ts';

/** The cases by area. */
export const allCases: Readonly<Record<string, readonly Case[]>> = {
  spf: spfCases,
  dkim: dkimCases,
  dmarc: dmarcCases,
  arc: arcCases,
  bimi: bimiCases,
  connection: connectionCases,
  provider: providerCases,
  reputation: reputationCases,
  transport: transportCases,
  doors: doorCases,
  headers: headerCases,
  structure: structureCases,
  identity: identityCases,
  unsubscribe: unsubscribeCases,
  content: contentCases,
  images: imageCases,
  active: activeCases,
  attachments: attachmentCases,
  links: linkCases,
  aliases: aliasCases,
  way: wayCases,
};
