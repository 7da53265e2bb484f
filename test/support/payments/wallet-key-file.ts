import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file that holds a key of nobody's; git keeps no modes, and others may not read it. */
export function walletKeyFile(mode = 0o600, content = `0x${'11'.repeat(32)}\n`): string {
  const path = join(mkdtempSync(join(tmpdir(), 'wallet-key-')), 'key');
  writeFileSync(path, content, { mode });
  return path;
}
