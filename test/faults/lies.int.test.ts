/** Plays the lies of chain nodes, with one node and with two. */

import { playEach } from './play-each.ts';

playEach('node');
playEach('two nodes');
