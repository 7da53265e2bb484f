// The browser is served the module of the domain under this name.
import { digest as digestOf } from '../../../domain/report/digest.mjs';

export const digest = digestOf;
