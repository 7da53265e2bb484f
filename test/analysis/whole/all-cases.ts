/** Lists all cases of complete emails by their area. */

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
import { headerCases } from './cases/headers.ts';
import { identityCases } from './cases/identity.ts';
import { imageCases } from './cases/images.ts';
import { linkCases } from './cases/links.ts';
import { providerCases } from './cases/provider.ts';
import { receivingCases } from './cases/receiving.ts';
import { reputationCases } from './cases/reputation.ts';
import { routeCases } from './cases/route.ts';
import { spfCases } from './cases/spf.ts';
import { structureCases } from './cases/structure.ts';
import { transportCases } from './cases/transport.ts';
import { unsubscribeCases } from './cases/unsubscribe.ts';

/** The cases of complete emails, by area. */
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
  receiving: receivingCases,
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
  route: routeCases,
};
