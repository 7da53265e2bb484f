/**
 * Plays the faults of the room `money`: buyers, wallets and blocks, and kills between the steps of a payment.
 */

import { playEach } from './play-each.ts';

playEach('money');
