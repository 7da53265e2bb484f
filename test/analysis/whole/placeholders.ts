/** Finds words in a text that a reader would have to replace by a value. */

/** Words in capitals that are not placeholders. */
const ACRONYMS = new Set(
  [
    'SPF DKIM DMARC ARC BIMI MTA STS RPT TLS DNS TXT MX CNAME PTR HELO MAIL FROM HTML SVG PS URL URI',
    'RFC UTF RSA SHA ASCII MIME LF CR CRLF SMTP NUL NTP POST IP VMC CMC KB AMP CNAMEs MB ID GET',
    'DNSSEC DANE TLSA STARTTLS DS AAAA DMARC1 BIMI1 TLSRPTV1 STSV1 DKIM1 MIIB SES API EHLO TTL Q PDF ZIP EXE CSS DOCTYPE NAT64',
  ]
    .join(' ')
    .split(' '),
);

/** Matches the base64 of a key, which may contain any word. */
const KEY = /\bp=[A-Za-z0-9+/=\s]+/g;

/** Matches words in capitals, such as a time zone, a month or a name that is written so. */
const word = /(?<![\w=+/.%{-])[A-Z][A-Z0-9]{2,}(?![\w=+/])/g;

/**
 * Returns what a reader would have to replace in a text: words in capitals, in braces or in angle brackets,
 * and dots.
 */
export function placeholdersIn(text: string): readonly string[] {
  const plain = text.replace(KEY, '');
  const capitals = plain.match(word) ?? [];
  return [
    ...capitals.filter((one) => !ACRONYMS.has(one)),
    ...(plain.match(/(?<!%)\{[^}]*\}/g) ?? []),
    ...(plain.match(
      /<[a-z]+[ _-][a-z _-]+>|\.\.\.|\bundefined\b|\bNaN\b|\bnull\b(?! MX)|\(not known\)/g,
    ) ?? []),
    ...(plain.match(/\b(?:your|my)[.-](?:domain|host|server)\b/gi) ?? []),
  ];
}
