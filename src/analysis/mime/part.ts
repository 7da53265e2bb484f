/**
 * Reads the MIME header fields of one part, such as its type, charset, encoding and file name, and replaces
 * types and encodings that a report must not show with `other` or `unknown`.
 */

import { bytesOf, decodeText, shownCharset } from '../syntax/charset.ts';
import { decodeWords } from '../syntax/encoded-words.ts';
import { firstNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { withoutComments } from '../syntax/words.ts';

const of = (top: string, subtypes: string): readonly string[] =>
  subtypes.split(' ').map((subtype) => `${top}/${subtype}`);

/**
 * Media types that the report may show: those that emails consist of, and those of files that people attach.
 * Other subtypes are not shown, because the sender may choose any word of up to 127 characters (RFC 6838
 * §4.2).
 */
const SHOWN: ReadonlySet<string> = new Set([
  ...of(
    'text',
    'plain html enriched richtext calendar csv vcard x-vcard directory markdown xml css',
  ),
  ...of('text', 'rtf javascript tab-separated-values rfc822-headers x-amp-html watch-html'),
  ...of('text', 'x-python x-shellscript x-log x-patch x-diff x-csrc x-markdown'),
  ...of('image', 'png jpeg jpg pjpeg x-png gif webp bmp x-ms-bmp tiff svg+xml heic heif avif'),
  ...of('image', 'apng jp2 x-icon vnd.microsoft.icon vnd.adobe.photoshop emf x-emf wmf x-wmf'),
  ...of('audio', 'mpeg mp3 mp4 aac ogg opus wav x-wav wave webm flac x-m4a amr midi basic'),
  ...of('video', 'mp4 mpeg quicktime webm ogg x-msvideo x-ms-wmv x-matroska 3gpp x-m4v'),
  ...of('font', 'ttf otf woff woff2 collection'),
  ...of('model', 'gltf+json gltf-binary stl obj 3mf'),
  ...of('message', 'rfc822 global partial external-body delivery-status global-delivery-status'),
  ...of('message', 'disposition-notification global-disposition-notification feedback-report'),
  ...of('message', 'global-headers http'),
  ...of('multipart', 'mixed alternative related digest report signed encrypted parallel form-data'),
  ...of('multipart', 'appledouble header-set byteranges voice-message'),
  ...of('application', 'octet-stream pdf x-pdf rtf msword zip x-zip x-zip-compressed gzip x-gzip'),
  ...of('application', 'x-tar x-gtar x-bzip2 x-xz x-7z-compressed x-rar x-rar-compressed vnd.rar'),
  ...of('application', 'json ld+json xml xhtml+xml javascript x-javascript sql wasm yaml x-yaml'),
  ...of('application', 'pgp-encrypted pgp-signature pgp-keys pkcs7-mime pkcs7-signature pkcs10'),
  ...of('application', 'x-pkcs7-mime x-pkcs7-signature x-pkcs12 x-x509-ca-cert pkix-cert'),
  ...of('application', 'ics ms-tnef vnd.ms-tnef mac-binhex40 applefile postscript illustrator'),
  ...of('application', 'vnd.ms-excel vnd.ms-powerpoint vnd.ms-outlook vnd.ms-cab-compressed'),
  ...of('application', 'vnd.ms-word.document.macroenabled.12 vnd.ms-excel.sheet.macroenabled.12'),
  ...of('application', 'vnd.ms-excel.sheet.binary.macroenabled.12'),
  ...of('application', 'vnd.ms-powerpoint.presentation.macroenabled.12 vnd.visio onenote'),
  ...['document', 'template'].flatMap((kind) =>
    of('application', `vnd.openxmlformats-officedocument.wordprocessingml.${kind}`),
  ),
  ...['sheet', 'template'].flatMap((kind) =>
    of('application', `vnd.openxmlformats-officedocument.spreadsheetml.${kind}`),
  ),
  ...['presentation', 'slideshow', 'template'].flatMap((kind) =>
    of('application', `vnd.openxmlformats-officedocument.presentationml.${kind}`),
  ),
  ...['text', 'spreadsheet', 'presentation', 'graphics'].flatMap((kind) =>
    of('application', `vnd.oasis.opendocument.${kind}`),
  ),
  ...of('application', 'vnd.apple.pages vnd.apple.numbers vnd.apple.keynote vnd.apple.pkpass'),
  ...of('application', 'vnd.google-earth.kml+xml vnd.google-earth.kmz gpx+xml epub+zip'),
  ...of('application', 'vnd.android.package-archive java-archive x-java-archive x-java-class'),
  ...of('application', 'x-msdownload x-msdos-program x-dosexec x-ms-shortcut x-msi x-ole-storage'),
  ...of('application', 'x-iso9660-image x-apple-diskimage x-elf x-mach-binary x-executable x-sh'),
  ...of('application', 'x-shockwave-flash x-sqlite3 vnd.sqlite3 x-php x-perl hta bat'),
]);

/** The top-level media types in IANA's registry that occur in email. RFC 2045 §5.1 allows no others. */
const TOP_LEVEL = new Set(Array.from(SHOWN, (type) => type.slice(0, type.indexOf('/'))));

/**
 * Returns a media type in lower case, as the report shows it. An unknown subtype becomes `other`, as in
 * `application/other`, because mail clients decide by the top-level type (RFC 2046 §1). Without a known
 * top-level type, the result is `other/other`.
 */
const shownMediaType = (type: string): string => {
  if (SHOWN.has(type)) return type;
  const top = type.slice(0, type.indexOf('/'));
  return TOP_LEVEL.has(top) ? `${top}/other` : 'other/other';
};

/** A structured MIME field with its parameters, such as `text/html; charset=utf-8`. */
interface Parameterized {
  /** The text before the first semicolon, in lower case. */
  readonly value: string;
  /** A Map, because the names come from the sender, and `__proto__` may be one of them. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly repeated: boolean;
}

const MAX_PARAMETERS = 100;

/** Splits a field at semicolons outside quoted strings. */
const pieces = (text: string): string[] => {
  const out: string[] = [];
  let start = 0;
  let quoted = false;
  for (let i = 0; i < text.length && out.length < MAX_PARAMETERS; i++) {
    const char = text[i];
    if (quoted && char === '\\') i++;
    else if (char === '"') quoted = !quoted;
    else if (char === ';' && !quoted) {
      out.push(text.slice(start, i));
      start = i + 1;
    }
  }
  if (out.length < MAX_PARAMETERS) out.push(text.slice(start));
  return out;
};

const unquoted = (text: string): string =>
  text.startsWith('"') ? text.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1') : text;

const percentDecoded = (text: string): string =>
  text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

/**
 * Decodes an extended parameter value, `charset'language'text`, in which the text is percent-encoded (RFC
 * 2231 §4).
 */
const extended = (text: string): string => {
  const first = text.indexOf("'");
  const second = first === -1 ? -1 : text.indexOf("'", first + 1);
  const charset = second === -1 ? 'utf-8' : text.slice(0, first) || 'utf-8';
  return decodeText(bytesOf(percentDecoded(text.slice(second + 1))), charset).text;
};

interface Section {
  readonly index: number;
  readonly encoded: boolean;
  readonly text: string;
}

/**
 * Joins the sections of a parameter, `name*0*=`, `name*1=` and so on, which may come in any order (RFC 2231
 * §3).
 */
const assembled = (sections: readonly Section[]): string => {
  const inOrder = sections.toSorted((a, b) => a.index - b.index);
  const text = inOrder.map(({ text }) => text).join('');
  return inOrder.some(({ encoded }) => encoded) ? extended(text) : decodeWords(text).text;
};

/** Reads a field that consists of a value and parameters (RFC 2045 §5.1, RFC 2231). Never throws. */
const parseParameters = (field: string): Parameterized => {
  const [head = '', ...rest] = pieces(withoutComments(field));
  const sections = new Map<string, Section[]>();
  let repeated = false;
  for (const piece of rest) {
    const equals = piece.indexOf('=');
    const name = piece.slice(0, Math.max(equals, 0)).trim().toLowerCase();
    const parts = /^([^*\s]{1,60})(?:\*(\d{1,3}))?(\*)?$/.exec(name);
    if (!parts?.[1]) continue;
    const section = {
      index: Number(parts[2] ?? 0),
      encoded: parts[3] !== undefined,
      text: unquoted(piece.slice(equals + 1).trim()),
    };
    const same = sections.get(parts[1]);
    if (!same) sections.set(parts[1], [section]);
    else if (same.some(({ index }) => index === section.index)) repeated = true;
    else same.push(section);
  }
  const parameters = new Map([...sections].map(([name, all]) => [name, assembled(all)]));
  return { value: head.trim().toLowerCase(), parameters, repeated };
};

/** A node of the MIME tree. Its file name and Content-ID never leave the code that reads the email. */
export interface MimeNode {
  /** The media type in lower case, in a form that may be shown: an unknown subtype becomes `other`. */
  readonly type: string;
  /** The declared charset in lower case, or `unknown`. Null if none is declared. */
  readonly charset: string | null;
  /** The declared transfer encoding, which is one from RFC 2045 or `unknown`. Null if none is declared. */
  readonly encoding: string | null;
  readonly disposition: 'inline' | 'attachment' | null;
  readonly boundary: string | null;
  readonly fileName: string;
  readonly contentId: string;
  readonly repeatedParameter: boolean;
  /**
   * True if the Content-Type is not a media type, for example because the semicolon before its parameters is
   * missing.
   */
  readonly malformedType: boolean;
  /** Index of the enclosing multipart in the list of nodes. Null for the root. */
  readonly parent: number | null;
  readonly depth: number;
}

// The syntax in RFC 6838 §4.2, without the characters that no registered type contains.
const MEDIA_TYPE = /^[a-z0-9][a-z0-9_.+-]{0,126}\/[a-z0-9][a-z0-9_.+-]{0,126}$/;
const ENCODINGS = ['7bit', '8bit', 'binary', 'quoted-printable', 'base64'];

/**
 * Returns the media type of a part: `fallback` if none is declared, and plain text if it cannot be read (RFC
 * 2045 §5.2).
 */
const mediaType = (declared: string | null, value: string, fallback: string): string => {
  if (declared === null) return fallback;
  return MEDIA_TYPE.test(value) ? shownMediaType(value) : 'text/plain';
};

const dispositionOf = (value: string): MimeNode['disposition'] => {
  if (value === '') return null;
  // An unknown disposition is treated as an attachment (RFC 2183 §2.8).
  return value === 'inline' ? 'inline' : 'attachment';
};

/**
 * Returns the transfer encoding of a part. Comments and space around its name have no meaning (RFC 2045 §6).
 */
const encodingOf = (declared: string | null): string | null => {
  if (declared === null) return null;
  const { value } = parseParameters(declared);
  return ENCODINGS.includes(value) ? value : 'unknown';
};

/** Reads the MIME fields in the header block of a part. */
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
    malformedType: declared !== null && !MEDIA_TYPE.test(type.value),
    parent: place.parent,
    depth: place.depth,
  };
};
