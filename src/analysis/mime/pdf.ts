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
const OBJECT_STREAM = /\/Type\s{0,8}\/ObjStm/;

/** The objects of an object stream, so far as they fit the budget. */
function unpack(packed: Uint8Array): string {
  try {
    return inflateSync(packed, { maxOutputLength: MAX_PDF_STREAM_BYTES }).toString('latin1');
  } catch {
    return '';
  }
}

/** Everything of a PDF that is an object, packed ones too; pictures and pages are left out. */
function objectsOf(bytes: Buffer, unpacks: boolean): string {
  const text = bytes.toString('latin1');
  const pieces: string[] = [];
  let unpacked = 0;
  for (let at = 0; at < text.length; ) {
    const stream = text.indexOf('stream', at);
    const end = stream === -1 ? -1 : text.indexOf('endstream', stream);
    const dictionary = text.slice(at, stream === -1 ? undefined : stream);
    pieces.push(dictionary);
    if (end === -1) break;
    const isPacked =
      unpacks && OBJECT_STREAM.test(dictionary.slice(dictionary.lastIndexOf(' obj')));
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
const LAUNCH = /\/S\s{0,8}\/Launch(?![A-Za-z0-9])/;
const OPEN_REFERENCE = /\/OpenAction\s{1,8}(\d{1,10})\s{1,8}\d{1,10}\s{1,8}R/;

/** Where a script stands that nobody has to ask for: behind each name, so far, in characters. */
const OPENERS: readonly (readonly [name: string, within: number, holds: RegExp])[] = [
  ['/OpenAction', 200, /^\/OpenAction\s{0,8}<<[\s\S]*\/(?:JavaScript|JS|Launch)(?![A-Za-z0-9])/],
  // §7.7.4: scripts by name in the catalog run when the document is opened.
  ['/JavaScript', 60, /^\/JavaScript\s{0,8}(?:\d{1,10}\s{1,8}\d{1,10}\s{1,8}R|<<)/],
  // §12.6.3: actions of a page, by the key O of its dictionary.
  ['/AA', 200, /^\/AA\s{0,8}<<\s{0,8}\/O(?![A-Za-z])[\s\S]*\/(?:JavaScript|JS)(?![A-Za-z0-9])/],
];

/** Places of one name that are looked at; a document has one of most. */
const MAX_PLACES = 1000;

function runsUnasked(text: string): boolean {
  return OPENERS.some(([name, within, holds]) => {
    let at = text.indexOf(name);
    for (let places = 0; at !== -1 && places < MAX_PLACES; places++) {
      if (holds.test(text.slice(at, at + within))) return true;
      at = text.indexOf(name, at + name.length);
    }
    return false;
  });
}

/** Whether the object that opens the document is a script; one that is packed has no number beside it. */
function opensScript(text: string): boolean {
  const number = OPEN_REFERENCE.exec(text)?.[1];
  if (number === undefined) return false;
  const at = text.search(new RegExp(`(?:^|[^0-9])${number}\\s{1,8}\\d{1,10}\\s{1,8}obj`));
  const object = at === -1 ? text : (text.slice(at).split('endobj', 1)[0] ?? '');
  return SCRIPT.test(object) || LAUNCH.test(object);
}

/** `unpacks`: whether its object streams are looked into as well. */
export function readPdf(bytes: Buffer, unpacks: boolean): PdfActions {
  const text = objectsOf(bytes, unpacks);
  const scripts = SCRIPT.test(text);
  const onOpen = LAUNCH.test(text) || (scripts && (runsUnasked(text) || opensScript(text)));
  return { onOpen, scripts };
}
