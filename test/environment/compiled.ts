import { enableCompileCache } from 'node:module';
import { COMPILE_CACHE } from './compile-cache.ts';

/** Loaded first in every thread of a service that a test starts. */
enableCompileCache(COMPILE_CACHE);
