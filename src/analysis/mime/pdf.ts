import { inflateSync } from 'node:zlib';
import { MAX_PDF_OBJECT_STREAMS, MAX_PDF_STREAM_BYTES } from '../limits.ts';

/** What a PDF would do by itself; nothing of it is run. */
export interface PdfActions {
  /** A script or a program starts when the file is opened. */
  readonly onOpen: boolean;
  /** Scripts elsewhere, as forms have them that add up their fields. */
  readonly scripts: boolean;
}

/** ISO 32000-1 §7.5.7: an object stream holds objects, packed; Acrobat writes most of them there. */
const OBJECT_STREAM = /\/Type\s*\/ObjStm/;

/** The objects of an object stream, so far as they fit the budget. */
function unpack(packed: Uint8Array): string {
  try {
    return inflateSync(packed, { maxOutputLength: MAX_PDF_STREAM_BYTES }).toString('latin1');
  } catch {
    return '';
  }
}

/** Everything of a PDF that is an object, packed ones too; pictures and pages are left out. */
function objectsOf(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  const pieces: string[] = [];
  let unpacked = 0;
  for (let at = 0; at < text.length; ) {
    const stream = text.indexOf('stream', at);
    const end = stream === -1 ? -1 : text.indexOf('endstream', stream);
    const dictionary = text.slice(at, stream === -1 ? undefined : stream);
    pieces.push(dictionary);
    if (end === -1) break;
    const isPacked = OBJECT_STREAM.test(dictionary.slice(dictionary.lastIndexOf(' obj')));
    if (isPacked && unpacked++ < MAX_PDF_OBJECT_STREAMS) {
      const from =
        stream + 'stream'.length + (text.startsWith('\r\n', stream + 'stream'.length) ? 2 : 1);
      pieces.push(unpack(bytes.subarray(from, end)));
    }
    at = end + 'endstream'.length;
  }
  // §7.3.5: any character of a name may be written as its code.
  return pieces
    .join('\n')
    .replace(/#([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
}

const SCRIPT = /\/(?:JavaScript|JS)(?![A-Za-z0-9])/;
const LAUNCH = /\/S\s*\/Launch(?![A-Za-z0-9])/;
const OPEN_REFERENCE = /\/OpenAction\s+(\d{1,10})\s+\d+\s+R/;
const OPEN_INLINE = /\/OpenAction\s*<<[\s\S]{0,200}?\/(?:JavaScript|JS|Launch)(?![A-Za-z0-9])/;
/** §12.6.4.16: scripts by name in the catalog run when the document is opened. */
const NAMED_SCRIPTS = /\/Names\s*<<[^>]{0,400}\/JavaScript(?![A-Za-z0-9])/;
const PAGE_OPENS =
  /\/Type\s*\/Page(?![A-Za-z])[\s\S]{0,400}?\/AA\s*<<[\s\S]{0,100}?\/O(?![A-Za-z])[\s\S]{0,200}?\/(?:JavaScript|JS)(?![A-Za-z0-9])/;

/** Whether the object that opens the document is a script; one that is packed has no number beside it. */
function opensScript(text: string): boolean {
  const number = OPEN_REFERENCE.exec(text)?.[1];
  if (number === undefined) return false;
  const at = text.search(new RegExp(`(?:^|[^0-9])${number}\\s+\\d+\\s+obj`));
  const object = at === -1 ? text : text.slice(at, text.indexOf('endobj', at));
  return SCRIPT.test(object) || LAUNCH.test(object);
}

export function readPdf(bytes: Buffer): PdfActions {
  const text = objectsOf(bytes);
  const scripts = SCRIPT.test(text);
  const runs = [OPEN_INLINE, NAMED_SCRIPTS, PAGE_OPENS].some((one) => one.test(text));
  return { onOpen: LAUNCH.test(text) || (scripts && (runs || opensScript(text))), scripts };
}
