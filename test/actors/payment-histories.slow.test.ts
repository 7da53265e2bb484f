import { describePaymentLives } from '../contracts/payment-histories.ts';
import { startMemoryLives } from '../support/log/memory-test-histories.ts';

describePaymentLives('in memory', startMemoryLives);
