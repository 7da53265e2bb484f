const of = (top: string, subtypes: string): readonly string[] =>
  subtypes.split(' ').map((subtype) => `${top}/${subtype}`);

/**
 * Media types that may be shown: those that mail is made of, and of files that people attach. A
 * subtype is any word of up to 127 characters (RFC 6838 §4.2), and the sender's own words are not
 * shown.
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

/** The top-level types of IANA's registry that mail has; RFC 2045 §5.1 leaves no room for others. */
const TOP_LEVEL = new Set(Array.from(SHOWN, (type) => type.slice(0, type.indexOf('/'))));

/**
 * A media type, in lower case, as the report shows it. What it does not know by name keeps its
 * top-level type, which is what mail clients go by (RFC 2046 §1): `application/other`; and what has
 * not even that is `other/other`.
 */
export const shownMediaType = (type: string): string => {
  if (SHOWN.has(type)) return type;
  const top = type.slice(0, type.indexOf('/'));
  return TOP_LEVEL.has(top) ? `${top}/other` : 'other/other';
};
