/** Plays damage to the files of nats-server. */

import { playEach } from './play-each.ts';

playEach('files');
