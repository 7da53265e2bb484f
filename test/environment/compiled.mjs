/** Turns on Node's compile cache in every thread of a service that a test starts. */

import { enableCompileCache } from 'node:module';

// This module is JavaScript, because reading TypeScript takes 30 ms per thread, and the program behind it
// needs none.
enableCompileCache();
