/** Detects scripts, redirects and password fields in attached HTML and SVG files. */

const MARKUP_BYTES = 256 * 1024;

/** Returns whether an HTML or SVG file contains a script. */
export const isScripted = (bytes: Buffer) => {
  const text = bytes.toString('latin1', 0, MARKUP_BYTES).toLowerCase();
  return (
    text.includes('<script') || text.includes('javascript:') || /\son[a-z]{3,20}\s*=/.test(text)
  );
};

/** Matches `<meta http-equiv="refresh" content="0;url=…">`, which opens another page. */
const REDIRECT =
  /<meta\b[^>]{0,200}\bhttp-equiv\s{0,8}=\s{0,8}["']?refresh\b[^>]{0,200}\burl\s{0,8}=/i;

/** Returns whether a page sends its reader to another page, or asks for a password. */
export const leadsAway = (bytes: Buffer): boolean => {
  const text = bytes.toString('latin1', 0, MARKUP_BYTES);
  return (
    REDIRECT.test(text) || /<input\b[^>]{0,200}\btype\s{0,8}=\s{0,8}["']?password\b/i.test(text)
  );
};
