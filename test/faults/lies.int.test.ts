import { playEach } from './play-each.ts';

playEach('node');
playEach('two nodes');
