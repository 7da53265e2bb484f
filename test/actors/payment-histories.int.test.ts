import { describePaymentLives } from '../contracts/payment-histories.ts';
import { startNatsLives } from '../support/log/nats-test-histories.ts';

describePaymentLives('on a nats-server', startNatsLives);
