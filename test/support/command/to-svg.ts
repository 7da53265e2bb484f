/** Colours of the sequences that the command uses, on a dark ground. */
const STYLES: Readonly<Record<string, string>> = {
  1: 'font-weight="bold"',
  2: 'fill="#8b949e"',
  31: 'fill="#ff7b72"',
  32: 'fill="#7ee787"',
  33: 'fill="#e3b341"',
  36: 'fill="#79c0ff"',
};

const COLUMN = 8.4;
const LINE = 18;

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that set colours
const SEQUENCE = /\u001b\[(\d+)m/;

/** A line of coloured text as spans; a style ends with `0`. */
function toSpans(line: string): string {
  const [first = '', ...rest] = line.split(SEQUENCE);
  let styles: string[] = [];
  let spans = escapeXml(first);
  for (let at = 0; at < rest.length; at += 2) {
    const code = rest[at] ?? '0';
    styles = code === '0' ? [] : [...styles, STYLES[code] ?? ''];
    const text = escapeXml(rest[at + 1] ?? '');
    if (text !== '') spans += `<tspan ${styles.join(' ')}>${text}</tspan>`;
  }
  return spans;
}

/** What a terminal of that many columns shows, as a picture. */
export function toSvg(text: string, columns: number): string {
  const lines = text.trimEnd().split('\n');
  const [width, height] = [Math.ceil(columns * COLUMN) + 20, (lines.length + 1) * LINE + 10];
  const rows = lines.map(
    (line, index) =>
      `<text x="10" y="${(index + 1) * LINE}" xml:space="preserve">${toSpans(line)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">`,
    `<rect width="100%" height="100%" rx="6" fill="#0d1117"/>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}
