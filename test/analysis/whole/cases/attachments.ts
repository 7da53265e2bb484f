/** Cases of complete emails with attachments. */

import { base64 } from '../../mail/mails.ts';
import { zip } from '../../mime/zip.ts';
import type { Case, State } from '../case.ts';
import { withFiles } from '../mails.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

const PDF = bytes('%PDF-1.7\n');
const OLE = Buffer.concat([
  Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  Buffer.from('_VBA_PROJECT', 'utf16le'),
]);

const file = (
  name: string,
  content: Uint8Array,
  state: State,
  about = name,
  more: Case['states'] = {},
): Case => ({
  about,
  mail: withFiles(
    [
      'Content-Type: application/octet-stream',
      `Content-Disposition: attachment;\r\n ${name.includes('*') ? name : `filename="${name}"`}`,
      'Content-Transfer-Encoding: base64',
      '',
      base64(content),
    ].join('\r\n'),
  ),
  states: { attachment_types: state, ...more },
});

export const attachmentCases: readonly Case[] = [
  file('setup.exe', bytes('text'), 'dangerous'),
  file('data.bin', bytes('MZ\x90\0'), 'dangerous', 'an executable by its first bytes'),
  file('run.js', bytes('1'), 'dangerous'),
  file('page.lnk', bytes('x'), 'dangerous'),
  file('invoice.pdf.exe', PDF, 'dangerous'),
  file(
    "filename*=UTF-8''a%E2%80%AEfdp.txt",
    bytes('x'),
    'dangerous',
    'a direction override in the name',
  ),
  file('report.docm', bytes('PK\x03\x04'), 'dangerous'),
  file('report.doc', OLE, 'dangerous', 'macros in an old document'),
  file('page.html', bytes('<html><script>1</script></html>'), 'dangerous', 'HTML with a script'),
  file(
    'page.htm',
    bytes('<html><meta http-equiv="refresh" content="0; url=https://www.example.com/">'),
    'dangerous',
    'HTML that opens another page',
  ),
  file('logo.svg', bytes('<svg><script>1</script></svg>'), 'dangerous', 'SVG with a script'),
  file('files.zip', zip([{ name: 'setup.exe' }]), 'dangerous', 'an executable in an archive'),
  file('files.zip', zip([{ name: 'a.txt', encrypted: true }]), 'doubtful', 'an encrypted archive'),
  file('files.zip', zip([{ name: 'more.zip' }]), 'doubtful', 'an archive in an archive'),
  file('page.html', bytes('<html><p>Hello</p></html>'), 'doubtful', 'plain HTML'),
  file('report.pdf', bytes('PK\x03\x04'), 'doubtful', 'an archive that calls itself a PDF'),
  file('data.csv.xz', bytes('x'), 'blocked_by_default', 'a type that Microsoft 365 blocks'),
  file(
    'form.pdf',
    bytes('%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(1)>>>>endobj\n'),
    'dangerous',
    'a PDF with a script that runs on opening',
  ),
  file(
    'form.pdf',
    bytes('%PDF-1.7\n1 0 obj<</Type/Annot/AA<</C<</S/JavaScript/JS(1)>>>>>>endobj\n'),
    'doubtful',
    'a PDF with a script in a field',
  ),
  file('winmail.dat', Buffer.from('789f3e22', 'hex'), 'harmless', "Outlook's Rich Text", {
    mime_structure: 'doubtful',
  }),
];
