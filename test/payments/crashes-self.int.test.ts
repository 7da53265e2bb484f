import { crashesThatMustHold } from './crashes.ts';

crashesThatMustHold('self');
