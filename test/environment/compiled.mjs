import { enableCompileCache } from 'node:module';

// Loaded first in every thread of a service that a test starts. It is JavaScript, because reading TypeScript
// takes 30 ms per thread, and the program behind it needs none.
enableCompileCache();
