import { playEach } from './play-each.ts';

playEach('processes');
