import { describeTestHistories } from '../contracts/test-histories.ts';
import { startMemoryHistories } from '../support/log/memory-test-histories.ts';

describeTestHistories('in memory', startMemoryHistories);
