import { playEach } from './play-each.ts';

playEach('money');
