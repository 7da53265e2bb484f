import { describeLives } from '../contracts/test-histories.ts';
import { startMemoryLives } from '../support/log/memory-test-histories.ts';

describeLives('in memory', startMemoryLives);
