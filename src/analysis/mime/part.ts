import { shownCharset } from '../syntax/charset.ts';
import { firstNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { shownMediaType } from './media-types.ts';
import { parseParameters } from './parameters.ts';

/** One node of the MIME tree. File name and Content-ID never leave the reading of the mail. */
export interface MimeNode {
  /** `type/subtype` in lower case, safe to show: a subtype that is not known is `other`. */
  readonly type: string;
  /** As declared, in lower case, or `unknown`; null: not declared. */
  readonly charset: string | null;
  /** One of RFC 2045, or `unknown`; null: not declared. */
  readonly encoding: string | null;
  readonly disposition: 'inline' | 'attachment' | null;
  readonly boundary: string | null;
  readonly fileName: string;
  readonly contentId: string;
  readonly repeatedParameter: boolean;
  /** Index of the enclosing multipart in the list of nodes; null: the root. */
  readonly parent: number | null;
  readonly depth: number;
}

// RFC 6838 §4.2 without the marks that no registered type has.
const MEDIA_TYPE = /^[a-z0-9][a-z0-9_.+-]{0,126}\/[a-z0-9][a-z0-9_.+-]{0,126}$/;
const ENCODINGS = ['7bit', '8bit', 'binary', 'quoted-printable', 'base64'];

/** RFC 2045 §5.2: what cannot be read is plain text; something to shun, in an attachment. */
const mediaType = (declared: string | null, value: string, fallback: string): string => {
  if (declared === null) return fallback;
  return MEDIA_TYPE.test(value) ? shownMediaType(value) : 'text/plain';
};

const dispositionOf = (value: string): MimeNode['disposition'] => {
  if (value === '') return null;
  // RFC 2183 §2.8: an unknown disposition is treated as an attachment.
  return value === 'inline' ? 'inline' : 'attachment';
};

/** RFC 2045 §6: comments and space around the mechanism mean nothing. */
const encodingOf = (declared: string | null): string | null => {
  if (declared === null) return null;
  const { value } = parseParameters(declared);
  return ENCODINGS.includes(value) ? value : 'unknown';
};

/** Reads the MIME fields of a header block. */
export const mimeNode = (
  block: HeaderBlock,
  place: { readonly parent: number | null; readonly depth: number; readonly fallback: string },
): MimeNode => {
  const declared = firstNamed(block, 'content-type');
  const type = parseParameters(declared ?? '');
  const disposition = parseParameters(firstNamed(block, 'content-disposition') ?? '');
  const charset = type.parameters.get('charset');
  return {
    type: mediaType(declared, type.value, place.fallback),
    charset: charset === undefined ? null : shownCharset(charset),
    encoding: encodingOf(firstNamed(block, 'content-transfer-encoding')),
    disposition: dispositionOf(disposition.value),
    boundary: type.parameters.get('boundary')?.trimEnd() || null,
    fileName: disposition.parameters.get('filename') ?? type.parameters.get('name') ?? '',
    contentId: (firstNamed(block, 'content-id') ?? '').trim().replace(/^<|>$/g, ''),
    repeatedParameter: type.repeated || disposition.repeated,
    parent: place.parent,
    depth: place.depth,
  };
};
