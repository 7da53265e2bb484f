import { describePaymentLives } from '../contracts/payment-lives.ts';
import { startNatsLives } from '../support/nats-lives.ts';

describePaymentLives('on a nats-server', startNatsLives);
