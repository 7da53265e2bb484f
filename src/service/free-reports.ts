import { testPurchase } from '../actors/settler/purchase.ts';
import { sampleReport } from '../analysis/sample.ts';
import type { Clock } from '../ports/ambient.ts';
import type { Settler } from '../ports/payment.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { DerivedState } from './derived-state.ts';

interface Ports {
  readonly derived: Pick<DerivedState, 'loadReport' | 'isThere' | 'payers'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Stands in for payments if reports are free: anyone with the token may read the report. */
export function openFreeReports({ derived, clock, logger }: Ports) {
  logger.warn('PAYMENTS=off: every report is free to anyone with its token, and nothing is sold');
  const { loadReport, isThere, payers } = derived;
  const ports = { clock, loadReport, isThere, sampleReport: () => sampleReport };
  const settler: Settler = {
    async read({ testId, row }) {
      if (row === 'sample') return { report: sampleReport };
      return { report: await testPurchase(ports, testId, row).load() };
    },
    isSettling: async () => false,
  };
  return {
    settler,
    selling: undefined,
    canSell: undefined,
    balanceOf: undefined,
    /** Earlier sales stay as they are, because nobody queries the chain about them now. */
    startWatch() {
      const open = [...payers.unresolved()].length;
      if (open > 0)
        logger.error({ open }, 'earlier payments are still undecided: start with PAYMENTS=on');
      return async () => {};
    },
    async stop() {},
  };
}
