import type { Clock } from '../ports/ambient.ts';
import type { Traces } from '../ports/traces.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Log } from './log.ts';
import type { Views } from './views.ts';

/** What the ways of a mail and of a payment both stand on. */
export interface SharedParts {
  readonly log: Log;
  readonly views: Views;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly replica: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly traces?: Traces | undefined;
  readonly baseUrl: () => string;
}
