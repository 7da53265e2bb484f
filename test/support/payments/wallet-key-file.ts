import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Creates a file with a key that belongs to nobody. git keeps no modes, and others may not read it. */
export function walletKeyFile(
  folder: string,
  mode = 0o600,
  content = `0x${'11'.repeat(32)}\n`,
): string {
  const path = join(folder, `wallet-key-${randomUUID()}`);
  writeFileSync(path, content, { mode });
  return path;
}
