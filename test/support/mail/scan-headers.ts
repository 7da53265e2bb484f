import { type HeaderScan, readMailHead } from '../../../src/analysis/mail/scan-headers.ts';

/** What the headers of a mail show; takes the header block alone, or the whole mail. */
export const scanHeaders = (bytes: Uint8Array): HeaderScan => readMailHead(bytes).scan;
