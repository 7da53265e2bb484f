/** Runs every possible history of a delivery test on a real nats-server. */

import { describeTestHistories } from '../contracts/test-histories.ts';
import { startNatsHistories } from '../support/log/nats-test-histories.ts';

describeTestHistories('on a nats-server', startNatsHistories);
