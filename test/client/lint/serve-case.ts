/** Analyses a case of a complete email as the service does, to compare the command with it. */

import { makeReport } from '../../../src/analysis/report.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import { unopened } from '../../../src/inspection/not-fetched.ts';
import type { Case } from '../../analysis/whole/case.ts';
import { arrive } from '../../analysis/whole/environment.ts';
import { zoneWith } from '../../analysis/whole/zone.ts';
import {
  ARRIVAL,
  about,
  readFacts,
  startInspectionEnvironment,
} from '../../support/mail/inspection-environment.ts';

export interface CaseService {
  /** Returns the service's report on a case. Nothing is fetched from the sender's web server. */
  serve(one: Case): Promise<Report>;
  /** Returns the same if only the facts of a command line are known: no TLS, relay or provider. */
  serveBySmtp(one: Case): Promise<Report>;
  stop(): Promise<void>;
}

/** Starts the service's analysis of an email, with real DNS on loopback. */
export async function startCaseService(): Promise<CaseService> {
  const environment = await startInspectionEnvironment();
  const inspect = environment.create({
    fetch: unopened,
  });
  const serve = async (one: Case, arrived: Awaited<ReturnType<typeof arrive>>) => {
    environment.dns.setZone(zoneWith(one.zone));
    const { bytes, block, client, from } = arrived;
    const inspection = inspect({ ...about, client, from });
    const { facts } = await readFacts(inspection, bytes, { block });
    // The report is like that of a file, which nobody stores.
    return makeReport({ ...facts, expiresAt: null }, ARRIVAL);
  };
  return {
    serve: async (one) => serve(one, await arrive(one)),
    async serveBySmtp(one) {
      const arrived = await arrive(one);
      const client = { ...arrived.client, source: 'smtp' as const, tls: notObservable };
      return serve(one, { ...arrived, block: undefined, client });
    },
    stop: () => environment.stop(),
  };
}

const notObservable = { status: 'not_observable', version: null, cipher: null } as const;
