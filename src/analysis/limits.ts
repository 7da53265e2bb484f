/** What one mail may make us do. Over a limit something is left out and named; nothing throws. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Over these four the receiver answers 554 5.6.0. */
export const MAX_HEADER_BLOCK_BYTES = 256 * KIB;
export const MAX_HEADER_FIELDS = 1000;
export const MAX_FIELD_BYTES = 64 * KIB;
/** The verifier of signatures is superlinear in them: 130,000 fit into the block, and took 8 s. */
export const MAX_HEADER_LINES = 5000;

/** Address parsers of others are superlinear from here on; no honest From is as long. */
export const MAX_FROM_BYTES = 16 * KIB;
export const MAX_FROM_ADDRESSES = 100;

/** Signatures that are read in full, and whose keys are looked up. Further ones are only listed. */
export const MAX_SIGNATURES_READ = 20;

/** Relaxed body hashing is superlinear in the length of a line. */
export const MAX_BODY_LINE_BYTES = MIB;

export const MAX_MIME_DEPTH = 20;
export const MAX_MIME_PARTS = 500;
/** Messages within messages whose files are looked at; each level is one more reading of it. */
export const MAX_MESSAGE_DEPTH = 3;
/** RFC 2046 §5.1.1 allows 70; up to here a longer one is still recognised. */
export const MAX_BOUNDARY_BYTES = 1000;

export const MAX_HTML_BYTES = 2 * MIB;
export const MAX_HTML_DEPTH = 256;
export const MAX_LINKS = 1000;
export const MAX_WORDS = 200_000;

/** Files of a mail that are unpacked, object streams of a PDF, and octets that each may become. */
export const MAX_UNPACKED_FILES = 20;
export const MAX_PDF_OBJECT_STREAMS = 32;
export const MAX_PDF_STREAM_BYTES = 256 * KIB;

/** Entries of a ZIP directory that are looked at. */
export const MAX_ARCHIVE_ENTRIES = 10_000;

/** Names that a finding may speak of. Lists of the report are cut when it is made, which says so. */
export const MAX_LISTED = 100;
