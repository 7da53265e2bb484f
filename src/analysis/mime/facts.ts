/** Facts about the lines, MIME structure, charsets and attachments of an email. */

import type { Attachment, Message } from '../../domain/report/message.ts';

/** Facts about the line lengths and line endings of an email. */
export interface LineFacts {
  readonly lines: {
    readonly longestBytes: number;
    /** Length of the longest header line, in bytes. */
    readonly longestHeaderBytes: number;
    readonly bareNewlines: boolean;
    readonly nul: boolean;
    /** Media type of the part with the longest line. */
    readonly longestIn: string;
  };
}

/** Facts about the MIME structure and attachments of an email. */
export interface MimeFacts {
  readonly mime: NonNullable<Message['mime']>;
  readonly attachments: readonly Attachment[];
  /** Faults of the structure, worst first, in the order of the states of the check `mime_structure`. */
  readonly structureFaults: readonly StructureFault[];
  /**
   * Names of header fields that come after a blank line inside the header, so that the header lacks them.
   */
  readonly fieldsBehind: readonly string[];
  readonly charsetFaults: readonly CharsetFault[];
  readonly attachmentFaults: readonly {
    readonly severity: 'fail' | 'warn';
    readonly extension: string | null;
    readonly kind: string;
  }[];
}

/**
 * A fault in the charset of a text part. The part declares none (`missing_charset`), an unknown one
 * (`unknown_charset`), one that text may not have (`wide_charset`), or one that does not match its bytes
 * (`invalid_bytes`, `utf8_not_declared`). Or its text was damaged before it was sent (`encoded_twice`,
 * `lost_letters`).
 */
export interface CharsetFault {
  readonly id: string;
  /** Media type of the part. */
  readonly type: string;
  readonly charset: string | null;
}

/** A fault in the MIME structure of an email. */
export interface StructureFault {
  readonly severity: 'fail' | 'warn' | 'info';
  readonly id: string;
}
