/** Plays the faults of the room `cluster`: three nodes and three replicas. */

import { playEach } from './play-each.ts';

playEach('cluster');
