import type { Rehearse } from './rehearsal.ts';
import { changedPrice } from './rehearsals/changed-price.ts';
import { fullDisk } from './rehearsals/full-disk.ts';
import { lostNode } from './rehearsals/lost-node.ts';
import { restoredBackup } from './rehearsals/restored-backup.ts';
import { rollingUpgrade } from './rehearsals/rolling-upgrade.ts';
import { rotatedCertificate } from './rehearsals/rotated-certificate.ts';
import { rotatedWallet } from './rehearsals/rotated-wallet.ts';

/** By the name on the command line and in docs/operations.md, in the order of that page. */
export const rehearsals: Readonly<Record<string, Rehearse>> = {
  'rolling-upgrade': rollingUpgrade,
  'lost-node': lostNode,
  'full-disk': fullDisk,
  'restored-backup': restoredBackup,
  'rotated-wallet': rotatedWallet,
  'rotated-certificate': rotatedCertificate,
  'changed-price': changedPrice,
};
