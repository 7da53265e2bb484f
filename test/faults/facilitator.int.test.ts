/**
 * Plays the faults of the room `facilitator`: one that lies or fails, and kills between the steps of a
 * payment.
 */

import { playEach } from './play-each.ts';

playEach('facilitator');
