import { playEach } from './play-each.ts';

playEach('cluster');
