import { describePaymentLives } from '../contracts/payment-lives.ts';
import { startMemoryLives } from '../support/memory-lives.ts';

describePaymentLives('in memory', startMemoryLives);
