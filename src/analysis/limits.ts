/**
 * Limits on the work that one email can cause. Anything beyond a limit is left out and reported; nothing
 * throws.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** The receiver replies 554 5.6.0 if one of these four is exceeded. */
export const MAX_HEADER_BLOCK_BYTES = 256 * KIB;
export const MAX_HEADER_FIELDS = 1000;
export const MAX_FIELD_BYTES = 64 * KIB;
/**
 * The signature verifier takes superlinear time in the number of header lines: 130,000 lines fit into the
 * block, and took 8 s.
 */
export const MAX_HEADER_LINES = 5000;

/** Address parsers in libraries take superlinear time beyond this. No honest From is as long. */
export const MAX_FROM_BYTES = 16 * KIB;
export const MAX_FROM_ADDRESSES = 100;

/** Number of signatures that are read in full, and whose keys are looked up. Any others are only listed. */
export const MAX_SIGNATURES_READ = 20;

/** Relaxed body hashing takes superlinear time in the length of a line. */
export const MAX_BODY_LINE_BYTES = MIB;

export const MAX_MIME_DEPTH = 20;
export const MAX_MIME_PARTS = 500;
/**
 * Depth of messages within messages whose files are examined. Each level means one more pass over the email.
 */
export const MAX_MESSAGE_DEPTH = 3;
/** RFC 2046 §5.1.1 allows 70. Longer boundaries are still recognised, up to this length. */
export const MAX_BOUNDARY_BYTES = 1000;

export const MAX_HTML_BYTES = 2 * MIB;
export const MAX_HTML_DEPTH = 256;
export const MAX_LINKS = 1000;
export const MAX_WORDS = 200_000;

/**
 * Number of files in an email that are unpacked, number of object streams in a PDF, and the size to which
 * each may grow.
 */
export const MAX_UNPACKED_FILES = 20;
export const MAX_PDF_OBJECT_STREAMS = 32;
export const MAX_PDF_STREAM_BYTES = 256 * KIB;

/** Entries of a ZIP directory that are examined. */
export const MAX_ARCHIVE_ENTRIES = 10_000;

/**
 * Most names that a finding may mention. Longer lists are cut when the report is built, and the report says
 * so.
 */
export const MAX_LISTED = 100;
