/** Runs every possible history of a payment on a real nats-server. */

import { describePaymentHistories } from '../contracts/payment-histories.ts';
import { startNatsHistories } from '../support/log/nats-test-histories.ts';

describePaymentHistories('on a nats-server', startNatsHistories);
