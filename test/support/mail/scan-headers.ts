import { type HeaderScan, readMailHead } from '../../../src/analysis/mail/scan-headers.ts';

/**
 * Returns what the header of an email shows. `bytes` may be the header block alone, or the complete email.
 */
export const scanHeaders = (bytes: Uint8Array): HeaderScan => readMailHead(bytes).scan;
