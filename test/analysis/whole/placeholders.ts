/** Words in capitals that stand for themselves. */
const ACRONYMS = new Set(
  [
    'SPF DKIM DMARC ARC BIMI MTA STS RPT TLS DNS TXT MX CNAME PTR HELO MAIL FROM HTML SVG PS URL URI',
    'RFC UTF RSA SHA ASCII MIME LF CR CRLF SMTP NUL NTP POST IP VMC CMC KB AMP CNAMEs MB ID GET',
    'DNSSEC DANE TLSA STARTTLS DS AAAA DMARC1 BIMI1 TLSRPTV1 STSV1 DKIM1 MIIB SES API EHLO TTL Q PDF ZIP EXE CSS DOCTYPE NAT64',
  ]
    .join(' ')
    .split(' '),
);

/** Base64 of a key says anything. */
const KEY = /\bp=[A-Za-z0-9+/=\s]+/g;

/** A time zone or a month of a date, and names that are written so. */
const word = /(?<![\w=+/.%{-])[A-Z][A-Z0-9]{2,}(?![\w=+/])/g;

/** What a reader would have to guess in a text: words in capitals, in braces, in angle brackets, dots. */
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
