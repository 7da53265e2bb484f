/**
 * Limits on the work that one email can cause. Whatever exceeds a limit is left out and reported, or makes
 * the receiver refuse the email. Exceeding a limit never throws.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Limits on the header. The receiver replies 554 5.6.0 if the email exceeds any of these four. */
export const MAX_HEADER_BLOCK_BYTES = 256 * KIB;
export const MAX_HEADER_FIELDS = 1000;
export const MAX_FIELD_BYTES = 64 * KIB;
/**
 * The signature verifier takes superlinear time in the number of header lines. The 130,000 lines that the
 * size limit would allow took 8 s.
 */
export const MAX_HEADER_LINES = 5000;

/**
 * Address parsers in libraries take superlinear time on longer values. No genuine From field is that long.
 */
export const MAX_FROM_BYTES = 16 * KIB;
export const MAX_FROM_ADDRESSES = 100;

/**
 * Maximum number of signatures that are read in full and whose keys are looked up. Further signatures are
 * only listed.
 */
export const MAX_SIGNATURES_READ = 20;

/**
 * Maximum length of a body line with which DKIM signatures are still verified, in bytes. Relaxed body hashing
 * takes superlinear time in the length of a line.
 */
export const MAX_BODY_LINE_BYTES = MIB;

export const MAX_MIME_DEPTH = 20;
export const MAX_MIME_PARTS = 500;
/**
 * Maximum depth of nested messages whose files are examined. Each level requires another pass over the email.
 */
export const MAX_MESSAGE_DEPTH = 3;
/**
 * Maximum length of a MIME boundary. RFC 2046 §5.1.1 allows 70 characters, but longer boundaries are
 * recognized too.
 */
export const MAX_BOUNDARY_BYTES = 1000;

export const MAX_HTML_BYTES = 2 * MIB;
/**
 * Maximum number of start and end tags. A table of 8,000 rows of five cells has fewer. The 700,000 tags that
 * the size limit would allow took more than half a second.
 */
export const MAX_HTML_TAGS = 100_000;
export const MAX_HTML_DEPTH = 256;
export const MAX_LINKS = 1000;
export const MAX_WORDS = 200_000;

/**
 * Maximum number of files in an email that are unpacked, maximum number of object streams in a PDF, and
 * maximum size of each stream.
 */
export const MAX_UNPACKED_FILES = 20;
export const MAX_PDF_OBJECT_STREAMS = 32;
export const MAX_PDF_STREAM_BYTES = 256 * KIB;

/** Maximum number of entries in a ZIP directory that are examined. */
export const MAX_ARCHIVE_ENTRIES = 10_000;

/**
 * Maximum number of names that a finding mentions. If a list is longer, it is cut when the report is built,
 * and the report says so.
 */
export const MAX_LISTED = 100;
