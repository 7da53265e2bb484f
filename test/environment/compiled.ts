import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Loaded first in every thread of a service that a test starts: replicas are started over and over, and
 * their code is compiled once.
 */
enableCompileCache(join(tmpdir(), 'node-compile-cache'));
