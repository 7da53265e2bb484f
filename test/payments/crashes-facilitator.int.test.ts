import { crashesThatMustHold } from './crashes.ts';

crashesThatMustHold('facilitator');
