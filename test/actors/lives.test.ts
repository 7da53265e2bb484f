import { describeLives } from '../contracts/lives.ts';
import { startMemoryLives } from '../support/memory-lives.ts';

describeLives('in memory', startMemoryLives);
