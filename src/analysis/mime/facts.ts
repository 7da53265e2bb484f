import type { Attachment, Message } from '../../domain/report/message.ts';

/** Facts about the lines of an email. */
export interface LineFacts {
  readonly lines: {
    readonly longestBytes: number;
    /** Longest line of the header alone. */
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
  /** Worst first, in the order of the states of `mime_structure`. */
  readonly structureFaults: readonly StructureFault[];
  /** Fields that the header lacks because they come after a blank line inside it. */
  readonly fieldsBehind: readonly string[];
  readonly charsetFaults: readonly CharsetFault[];
  readonly attachmentFaults: readonly {
    readonly severity: 'fail' | 'warn';
    readonly extension: string | null;
    readonly kind: string;
  }[];
}

/**
 * Text that is not in its declared charset, or that declares none: `missing_charset`, `unknown_charset`,
 * `invalid_bytes`.
 */
export interface CharsetFault {
  readonly id: string;
  /** Media type of the part. */
  readonly type: string;
  readonly charset: string | null;
}

/** A fault without a remedy of its own. */
export interface StructureFault {
  readonly severity: 'fail' | 'warn' | 'info';
  readonly id: string;
}
