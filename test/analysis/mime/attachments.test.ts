/** Tests how attachments are judged, including archives and files that Gmail blocks. */

import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { base64, multipart, part, read } from '../mail/mails.ts';
import { zip } from './zip.ts';

const TEXT = part('text/plain', 'Hello');
const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

const attached = (name: string, bytes: Uint8Array | string, type = 'application/octet-stream') =>
  read(
    multipart('mixed', [
      TEXT,
      part(
        type,
        base64(Buffer.from(bytes)),
        'Content-Transfer-Encoding: base64',
        `Content-Disposition: attachment; filename="${name}"`,
      ),
    ]),
  ).content;

const faultsOf = (name: string, bytes: Uint8Array | string, type?: string) =>
  attached(name, bytes, type).attachmentFaults.map(({ severity, kind }) => `${severity} ${kind}`);

const PDF = '%PDF-1.7\n';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const LNK = Buffer.from([0x4c, 0, 0, 0, 1, 0x14, 2, 0]);
const RAR4 = Buffer.from('Rar!\x1a\x07\x00\xcf\x90\x73\x80\x00\x0d\x00', 'latin1');

test.each<[string, Uint8Array | string, readonly string[]]>([
  ['report.pdf', PDF, []],
  ['report.txt', 'words', []],
  ['picture.png', PNG, []],
  ['data.zip', zip([{ name: 'a.txt' }]), []],
  ['report.docx', zip([{ name: '[Content_Types].xml' }, { name: 'word/document.xml' }]), []],
  ['setup.exe', 'MZ....', ['fail executable']],
  ['harmless.txt', 'MZ\x90\0\x03\0', ['fail executable']],
  ['articles.csv', 'MZ-AB 123;blue;9.90\r\nMZ-AB 124;red;9.90', []],
  ['noextension', '\x7fELF', ['fail executable']],
  ['setup.exe', 'words', ['fail executable']],
  ['run.js', 'let a', ['fail script']],
  ['run.sh', '#!/bin/sh', ['fail script']],
  ['plot.py', '#!/usr/bin/env python3', []],
  ['link.lnk', LNK, ['fail shortcut']],
  ['link.lnk', 'words', ['fail shortcut']],
  ['setup.appref-ms', 'words', ['fail shortcut']],
  ['look.theme', 'words', ['fail shortcut']],
  ['setup.inf', 'words', ['fail script']],
  ['setup.exe. ', 'words', ['fail executable']],
  ['invoice.pdf.exe', 'words', ['fail executable', 'fail double_extension']],
  ['invoice.pdf', PDF, []],
  ['archive.tar.gz', Buffer.from([0x1f, 0x8b, 8]), []],
  ['a.zip', zip([{ name: 'invoice.exe' }]), ['fail executable_in_archive']],
  [
    'a.jar',
    zip([{ name: 'META-INF/MANIFEST.MF' }]),
    ['fail executable', 'fail executable_in_archive'],
  ],
  ['a.zip', zip([{ name: 'inner.zip' }]), ['warn nested_archive']],
  ['a.zip', zip([{ name: 'a.txt', encrypted: true }]), ['warn encrypted']],
  ['a.rar', RAR4, ['warn encrypted']],
  ['sheet.xlsm', zip([{ name: '[Content_Types].xml' }]), ['fail macro_document']],
  [
    'report.docx',
    zip([{ name: '[Content_Types].xml' }, { name: 'word/vbaProject.bin' }]),
    ['fail macro_document'],
  ],
  ['report.doc', OLE, []],
  ['report.doc', Buffer.concat([OLE, utf16('_VBA_PROJECT')]), ['fail macro_document']],
  ['report.docx', Buffer.concat([OLE, utf16('EncryptedPackage')]), ['warn encrypted']],
  ['report.pdf', `${PDF}trailer << /Encrypt 5 0 R >>`, ['warn encrypted']],
  ['page.html', '<html><body>x</body></html>', ['warn html_file']],
  [
    'page.htm',
    '<html><meta http-equiv="refresh" content="0; url=https://a.example/">',
    ['fail html_leading_away', 'warn html_file'],
  ],
  ['page.htm', '<html><meta http-equiv="refresh" content="30">', ['warn html_file']],
  [
    'page.htm',
    '<html><form><input name="p" type="password"></form>',
    ['fail html_leading_away', 'warn html_file'],
  ],
  ['page.htm', '<html><form><input type="search"></form>', ['warn html_file']],
  ['page.html', '<html><script>x</script></html>', ['fail html_script', 'warn html_file']],
  ['page.html', '<b onclick = x>', ['fail html_script', 'warn html_file']],
  ['logo.svg', '<svg></svg>', []],
  ['logo.svg', '<?xml version="1.0"?><svg onload="x()"></svg>', ['fail svg_script']],
  ['picture.png', PDF, ['warn type_mismatch']],
  ['report.pdf', PNG, ['warn type_mismatch']],
])('%s (%#)', (name, bytes, faults) => {
  expect(faultsOf(name, bytes)).toEqual(faults);
});

/** The list is from https://support.google.com/mail/answer/6590. */
const BLOCKED_BY_GMAIL =
  'ade adp apk appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_ exe ' +
  'hta img ins iso isp jar jnlp js jse lib lnk mde mjs msc msi msix msixbundle msp mst nsh pif ' +
  'ps1 scr sct shb sys vb vbe vbs vhd vxd wsc wsf wsh xll';

test.each(BLOCKED_BY_GMAIL.split(' '))('Gmail blocks .%s', (extension) => {
  expect(faultsOf(`file.${extension}`, 'words')[0]).toMatch(/^fail /);
  expect(faultsOf('a.zip', zip([{ name: `file.${extension}` }]))).toContain(
    'fail executable_in_archive',
  );
});

test.each('ace ani arj deb lha lzh xz z uif kext'.split(' '))(
  'Microsoft 365 treats .%s as malware by default',
  (extension) => {
    expect(faultsOf(`a.${extension}`, 'words')).toEqual(['fail blocked_type']);
  },
);

test.each([
  ['XZ', Buffer.from('fd377a585a00', 'hex')],
  ['ACE', Buffer.from('1234567**ACE**', 'latin1')],
  ['LZH', Buffer.from('12-lh5-', 'latin1')],
])('%s is recognized by its bytes, under any name', (_, bytes) => {
  expect(faultsOf('data.bin', bytes)).toEqual(['fail blocked_type']);
});

const packed = (objects: string) => {
  const stream = deflateSync(Buffer.from(objects)).toString('latin1');
  return `3 0 obj<</Type/ObjStm/Filter/FlateDecode>>stream\r\n${stream}\r\nendstream endobj\n`;
};

test.each([
  ['opens at a page', '1 0 obj<</OpenAction[3 0 R/Fit]>>endobj', []],
  ['runs a script', '1 0 obj<</OpenAction<</S/JavaScript/JS(1)>>>>endobj', ['fail pdf_script']],
  ['writes a name by its codes', '<</OpenAction<</S/J#61vaScript>>>>', ['fail pdf_script']],
  [
    'names its script',
    '<</OpenAction 2 0 R>>endobj 2 0 obj<</S/JavaScript>>endobj',
    ['fail pdf_script'],
  ],
  ['has scripts of the document', '<</Names<</JavaScript 6 0 R>>>>', ['fail pdf_script']],
  ['starts a program', '2 0 obj<</S /Launch/F(a.exe)>>endobj', ['fail pdf_script']],
  [
    'runs a script on a page',
    '<</Type/Page/AA<</O<</S/JavaScript/JS(1)>>>>>>',
    ['fail pdf_script'],
  ],
  [
    'packs its objects',
    packed('<</OpenAction 2 0 R>><</S/JavaScript/JS(1)>>'),
    ['fail pdf_script'],
  ],
  ['adds up its fields', '<</AA<</C<</S/JavaScript/JS(1)>>>>>>', ['warn pdf_fields']],
  [
    'opens at a place and adds up its fields',
    '<</OpenAction 2 0 R>>endobj 2 0 obj<</S/GoTo>>endobj <</AA<</C<</JS(1)>>>>>>',
    ['warn pdf_fields'],
  ],
  ['holds the words in a picture', 'stream\n/OpenAction<</S/JavaScript>>\nendstream', []],
])('a PDF that %s', (_, objects, faults) => {
  expect(faultsOf('form.pdf', Buffer.from(`${PDF}${objects}`, 'latin1'))).toEqual(faults);
});

test.each([
  ['packed bombs', packed('0'.repeat(5_000_000)).repeat(50)],
  ['names without end', `/JS ${'/Type/Page/AA<</O '.repeat(50_000)}`],
  ['numbers without end', `/JS /OpenAction 1 0 R ${'1 '.repeat(200_000)}`],
])('a PDF of %s is read without delay', (_, objects) => {
  const before = process.cpuUsage();
  faultsOf('form.pdf', Buffer.from(`${PDF}${objects}`, 'latin1'));
  // Linear work takes a tenth of a second of processor time, and a search that backtracks takes ten seconds.
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3);
});

test.each([
  ['.hidden', null, []],
  ['..hidden', null, []],
  [' .hidden.', null, []],
  ['folder/.hidden', null, []],
  ['.hidden.pdf', 'pdf', []],
  ['.exe', null, ['fail executable']],
  ['setup.ex_', null, ['fail executable']],
])('%s: a dotfile has no extension to show', (name, extension, faults) => {
  expect(attached(name, 'words').attachments[0]?.extension).toBe(extension);
  expect(faultsOf(name, 'words')).toEqual(faults);
});

test.each([
  ['application/pdf', 'application/pdf'],
  ['application/vnd.ms-excel', 'application/vnd.ms-excel'],
  ['application/secret', 'application/other'],
  ['application/x-secret', 'application/other'],
  ['application/vnd.secret+json', 'application/other'],
  ['text/secret', 'text/other'],
  ['secret/pdf', 'other/other'],
  ['secret', 'text/plain'],
])('an attachment declared %s is reported as %s', (declared, shown) => {
  const { attachments, mime } = attached('a.bin', 'words', declared);
  expect(attachments[0]?.declared_type).toBe(shown);
  expect(mime.structure).toBe(`multipart/mixed(text/plain,${shown})`);
});

test.each([
  [498, []],
  [600, ['too_many_parts']],
])('an email inside with %i files: %j', (files, defects) => {
  const inner = multipart('mixed', Array(files).fill(part('application/pdf', 'x')), 'b2');
  const outer = multipart('mixed', [TEXT, part('message/rfc822', inner.toString('latin1'))]);
  expect(read(outer).content.mime.defects).toEqual(defects);
});

test('a direction override in the name is recognized despite its encoding', () => {
  const name = Buffer.from('invoice\u202efdp.exe').toString('base64');
  expect(faultsOf(`=?utf-8?b?${name}?=`, PDF)).toContain('fail direction_override');
});

test('a name may come in pieces (RFC 2231)', () => {
  const file = part(
    'application/octet-stream',
    'words',
    "Content-Disposition: attachment; filename*1=exe; filename*0*=utf-8''a%20b%2Epdf.",
  );
  const { attachmentFaults } = read(multipart('mixed', [TEXT, file])).content;
  expect(attachmentFaults.map(({ kind }) => kind)).toEqual(['executable', 'double_extension']);
});

test('an attachment is reported by number, types, extension and size', () => {
  expect(attached('My secret name.PDF', PDF, 'application/pdf').attachments).toEqual([
    {
      index: 0,
      declared_type: 'application/pdf',
      detected_type: 'application/pdf',
      extension: 'pdf',
      size_bytes: 9,
      encrypted: false,
      macros: false,
    },
  ]);
});

test.each([
  ['a.secret-stuff', null],
  ['a.abcdefghijk', null],
  ['a.abcdefghij', 'abcdefghij'],
  ['none', null],
])('the extension of %s is shown as %j', (name, extension) => {
  expect(attached(name, 'words').attachments[0]?.extension).toBe(extension);
});

test('a file that is not a picture is an attachment, even with a Content-ID', () => {
  const fake = part(
    'image/png',
    base64(Buffer.from('MZ\0\0')),
    'Content-ID: <a>',
    'Content-Transfer-Encoding: base64',
  );
  const { attachments, attachmentFaults } = read(multipart('related', [TEXT, fake])).content;
  expect(attachments).toHaveLength(1);
  expect(attachmentFaults[0]?.kind).toBe('executable');
});

test('signatures and calendar alternatives are not attachments', () => {
  const signature = part('application/pgp-signature', 'x');
  expect(read(multipart('signed', [TEXT, signature])).content.attachments).toEqual([]);
  const calendar = part('text/calendar', 'BEGIN:VCALENDAR');
  expect(read(multipart('alternative', [TEXT, calendar])).content.attachments).toEqual([]);
});

test.each([
  'message/delivery-status',
  'message/disposition-notification',
  'message/feedback-report',
  'text/rfc822-headers',
])('%s, which programs read in a report, is not an attachment', (type) => {
  expect(read(multipart('report', [TEXT, part(type, 'x: y')])).content.attachments).toEqual([]);
});

test('an encrypted email is one file, and not an empty body', () => {
  const { attachments, structureFaults } = read(
    multipart('encrypted', [
      part('application/pgp-encrypted', 'Version: 1'),
      part('application/octet-stream', '-----BEGIN PGP MESSAGE-----'),
    ]),
  ).content;
  expect([attachments.length, structureFaults]).toEqual([1, []]);
});

/** A message that contains a message, and so on. The innermost contains a program. */
const forwarded = (levels: number): string =>
  levels === 0
    ? part('application/octet-stream; name=a.exe', 'MZ')
    : part('message/rfc822', `Subject: Fwd\r\n${multipartOf(forwarded(levels - 1))}`);

const multipartOf = (inner: string) =>
  `Content-Type: multipart/mixed; boundary=x${inner.length}\r\n\r\n--x${inner.length}\r\n${inner}\r\n--x${inner.length}--`;

test.each([
  [1, ['executable']],
  [3, ['executable']],
  [4, []],
])('a program in %i messages within one another has the faults %j', (levels, faults) => {
  const { attachments, attachmentFaults } = read(
    multipart('mixed', [TEXT, forwarded(levels)]),
  ).content;
  expect(attachmentFaults.map(({ kind }) => kind)).toEqual(faults);
  expect(attachments.map(({ index }) => index)).toEqual(attachments.map((_, i) => i));
});

test('the sender is not blamed for the structure of a forwarded message', () => {
  const broken = part(
    'message/rfc822',
    'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Transfer-Encoding: base64\r\nContent-Type: image/png\r\n\r\n####',
  );
  expect(read(multipart('mixed', [TEXT, broken])).content.structureFaults).toEqual([]);
});

test('a ZIP file with a false directory is read as far as possible', () => {
  const lying = zip([{ name: 'a.txt' }]);
  lying.writeUInt32LE(0xffffffff, lying.length - 6);
  expect(faultsOf('a.zip', lying)).toEqual([]);
});
