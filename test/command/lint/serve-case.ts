import { makeReport } from '../../../src/analysis/report.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import type { ClientFacts, ProviderBlock } from '../../../src/ports/mail.ts';
import type { Case } from '../../analysis/whole/case.ts';
import { arrive } from '../../analysis/whole/environment.ts';
import { zoneWith } from '../../analysis/whole/zone.ts';
import {
  ARRIVAL,
  about,
  startInspectionEnvironment,
} from '../../support/mail/inspection-environment.ts';

/** What only a connection has: a file knows neither its TLS nor a provider that delivered it. */
interface Connection {
  readonly block?: ProviderBlock | undefined;
  readonly tls?: ClientFacts['tls'];
}

export interface CaseService {
  /** The service's report on a case; nothing is fetched from the sender's web server. */
  serve(one: Case, connection?: Connection): Promise<Report>;
  stop(): Promise<void>;
}

/** The service's way of a mail, with real DNS on loopback. */
export async function startCaseService(): Promise<CaseService> {
  const environment = await startInspectionEnvironment();
  const inspect = environment.create({
    fetch: async () => ({ status: 'failed', fault: 'ours', reason: 'not checked' }),
  });
  return {
    async serve(one, connection) {
      environment.dns.setZone(zoneWith(one.zone));
      const arrived = await arrive(one);
      const { bytes, block, client, from } = { ...arrived, ...connection };
      const connected = { ...client, ...(connection?.tls && { tls: connection.tls }) };
      const inspected = await inspect({ ...about, client: connected, from }).read(bytes, block);
      const facts = await inspected.facts({ receivedAt: ARRIVAL, expiresAt: ARRIVAL });
      inspected.end();
      if (facts === 'lost') throw new Error('the worker was lost');
      return makeReport(facts, ARRIVAL);
    },
    stop: () => environment.stop(),
  };
}
