import { type Tokenizer, TokenizerMode } from 'parse5';

/** Elements whose content is no markup, and how the tokenizer reads it (HTML §13.2.6.2). */
export const RAW: ReadonlyMap<string, typeof Tokenizer.prototype.state> = new Map([
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['script', TokenizerMode.SCRIPT_DATA],
  ['textarea', TokenizerMode.RCDATA],
  ['title', TokenizerMode.RCDATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
]);

/** Raw content that a reader sees all the same. */
export const SHOWN_RAW = new Set(['xmp', 'textarea', 'plaintext']);
