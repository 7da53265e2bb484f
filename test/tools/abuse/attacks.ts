import { cycles, manySilent, randomNames, silentDns, slowDns } from './dns-attacks.ts';
import {
  creationOf34,
  creationOfMany,
  creationOfOne,
  dataOfMany,
  dataOfThree,
  heldMemory,
  mistyped,
  oneTest,
  portsOfProxy,
  sharedAddress,
  silentHttp,
} from './door-attacks.ts';
import { fullDisk } from './full-disk.ts';
import { creation, creationFlood, deletions, mcpCalls, slowHttp, waiters } from './http-attacks.ts';
import {
  commands,
  holders,
  largeMails,
  slowSmtp,
  unknownRecipients,
  uploads,
} from './smtp-attacks.ts';

/** In the order in which they run. */
export const attacks = {
  cycles,
  unknownRecipients,
  holders,
  silentDns,
  manySilent,
  slowDns,
  randomNames,
  slowSmtp,
  slowHttp,
  commands,
  largeMails,
  uploads,
  waiters,
  deletions,
  mcpCalls,
  creationFlood,
  dataOfThree,
  dataOfMany,
  heldMemory,
  oneTest,
  sharedAddress,
  mistyped,
  portsOfProxy,
  creationOfOne,
  creationOf34,
  creationOfMany,
  silentHttp,
  creation,
  fullDisk,
};

export type AttackName = keyof typeof attacks;
