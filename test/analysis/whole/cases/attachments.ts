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
  file('setup.exe', bytes('text'), 'fail 0'),
  file('data.bin', bytes('MZ\x90\0'), 'fail 0', 'an executable by its first bytes'),
  file('run.js', bytes('1'), 'fail 0'),
  file('page.lnk', bytes('x'), 'fail 0'),
  file('invoice.pdf.exe', PDF, 'fail 0'),
  file(
    "filename*=UTF-8''a%E2%80%AEfdp.txt",
    bytes('x'),
    'fail 0',
    'a direction override in the name',
  ),
  file('report.docm', bytes('PK\x03\x04'), 'fail 0'),
  file('report.doc', OLE, 'fail 0', 'macros in an old document'),
  file('page.html', bytes('<html><script>1</script></html>'), 'fail 0', 'HTML with a script'),
  file('logo.svg', bytes('<svg><script>1</script></svg>'), 'fail 0', 'SVG with a script'),
  file('files.zip', zip([{ name: 'setup.exe' }]), 'fail 0', 'an executable in an archive'),
  file('files.zip', zip([{ name: 'a.txt', encrypted: true }]), 'warn 2', 'an encrypted archive'),
  file('files.zip', zip([{ name: 'more.zip' }]), 'warn 2', 'an archive in an archive'),
  file('page.html', bytes('<html><p>Hello</p></html>'), 'warn 2', 'plain HTML'),
  file('report.pdf', bytes('PK\x03\x04'), 'warn 2', 'an archive that calls itself a PDF'),
  file('report.pdf', PDF, 'info 3'),
  file('data.csv.xz', bytes('x'), 'fail 1', 'a type that Microsoft 365 blocks'),
  file(
    'form.pdf',
    bytes('%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(1)>>>>endobj\n'),
    'fail 0',
    'a PDF with a script that runs by itself',
  ),
  file(
    'form.pdf',
    bytes('%PDF-1.7\n1 0 obj<</Type/Annot/AA<</C<</S/JavaScript/JS(1)>>>>>>endobj\n'),
    'warn 2',
    'a PDF with a script in a field',
  ),
  file('winmail.dat', Buffer.from('789f3e22', 'hex'), 'info 3', "Outlook's Rich Text", {
    mime_structure: 'warn 1',
  }),
  file('photos.zip', zip([{ name: 'a.jpg' }]), 'info 3', 'a plain archive'),
];
