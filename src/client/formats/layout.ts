/** Measures, wraps, cuts and highlights text for a terminal. */

/** Maximum width in columns, because wider lines are hard to read. */
const MAX_WIDTH = 100;
const MIN_WIDTH = 40;

/** Returns the maximum line length for a terminal with this many columns. */
export const widthOf = (columns: number): number =>
  Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, columns - 1));

/**
 * Breaks text at spaces into lines of at most `width` columns. A word that is longer than that stays in one
 * piece, and so does a line that is indented by four spaces or more, because it is a record to copy.
 */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    if (paragraph.startsWith('    ')) return [paragraph];
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && columnsOf(line) + 1 + columnsOf(word) > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    return [...lines, line];
  });
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

const NARROWLESS = /\p{Mark}|\u200b|\u200d/u;

/** Returns the number of columns that a text takes up in a terminal. */
export const columnsOf = (text: string): number =>
  [...text].reduce((sum, char) => sum + (NARROWLESS.test(char) ? 0 : WIDE.test(char) ? 2 : 1), 0);

/** Cuts text to `width` columns, and marks the cut with an ellipsis. */
export function cutTo(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  let cut = '';
  for (const char of text) {
    if (columnsOf(cut + char) > width - 1) break;
    cut += char;
  }
  return `${cut}…`;
}

type Paint = (text: string) => string;

/** Functions that highlight text in a terminal. Without colours, the words alone carry the meaning. */
export interface Paints {
  readonly good: Paint;
  readonly warn: Paint;
  readonly bad: Paint;
  readonly dim: Paint;
  readonly bold: Paint;
  readonly copy: Paint;
}

const sgr =
  (code: number): Paint =>
  (text) =>
    `\u001b[${code}m${text}\u001b[0m`;

const plain: Paint = (text) => text;

export const paintsOf = (colors: boolean): Paints =>
  colors
    ? { good: sgr(32), warn: sgr(33), bad: sgr(31), dim: sgr(2), bold: sgr(1), copy: sgr(36) }
    : { good: plain, warn: plain, bad: plain, dim: plain, bold: plain, copy: plain };
