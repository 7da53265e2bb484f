import { describePaymentHistories } from '../contracts/payment-histories.ts';
import { startMemoryHistories } from '../support/log/memory-test-histories.ts';

describePaymentHistories('in memory', startMemoryHistories);
