/**
 * Lists the operations of docs/operations.md, by their names and in its order. Each is made to be played
 * once.
 */

import { damagedStore, fullDisk, lostNode, restoredBackup } from './losses.ts';
import type { Operation } from './operation.ts';
import { rotatedCertificate } from './rotated-certificate.ts';
import { rollingUpgrade, rotatedWallet } from './upgrades.ts';

/**
 * Operations by their names in docs/operations.md, in its order. Each is made to be played once.
 * @param before the main module of the release with which it begins; by default this one
 */
export const operations: Readonly<Record<string, (before?: string) => Operation>> = {
  'rolling-upgrade': rollingUpgrade,
  'lost-node': lostNode,
  'damaged-store': damagedStore,
  'full-disk': fullDisk,
  'restored-backup': restoredBackup,
  'rotated-wallet': rotatedWallet,
  'rotated-certificate': rotatedCertificate,
};
