import { ConfigError } from '../config/environment.ts';
import type { Name } from '../config/settings.ts';

/** Why a port cannot be opened, by the system's code, and what to do. */
const faults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there; stop it, or set another port.',
  EADDRNOTAVAIL: 'this machine has no such address; set one that it has.',
  EACCES: 'this user may not open it; allow that, or set a port above 1023.',
};

/**
 * Opens a port that a setting names.
 *
 * @throws ConfigError under that setting, when settings can cure it
 */
export async function openPort<T>(setting: Name, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const fault = faults[(error as NodeJS.ErrnoException).code ?? ''];
    throw fault === undefined ? error : new ConfigError([`${setting} cannot be opened: ${fault}`]);
  }
}
