/**
 * Plays the faults of the room `processes`: processes, clocks and connections, and kills between the steps of
 * an email.
 */

import { playEach } from './play-each.ts';

playEach('processes');
