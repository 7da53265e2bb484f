/** Finds unreplaced template fields in a text. */

import { splitWords } from '../syntax/words.ts';

/** Variables that instructions for Windows contain, such as `%APPDATA%`. */
const WINDOWS_VARIABLES = splitWords(
  'ALLUSERSPROFILE APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PROGRAMDATA PROGRAMFILES ' +
    'SYSTEMDRIVE SYSTEMROOT TEMP TMP USERPROFILE WINDIR',
).join('|');

/** Variables that texts about shells and builds contain, such as `${HOME}`. */
const SHELL_VARIABLES = splitWords(
  'DESTDIR EDITOR HOME HOSTNAME LANG LOGNAME PATH PREFIX PWD SHELL TERM TMPDIR USER XDG_\\w+',
).join('|');

/** The syntaxes of template fields: the opening and closing mark of each, and its name in findings. */
const SYNTAXES = [
  { syntax: '{{ }}', open: '{{', close: '}}', name: /^[{#/^&>!~.$ -]{0,4}[\p{L}_@][^{}]*$/u },
  { syntax: '%% %%', open: '%%', close: '%%', name: /^[\p{L}_][\p{L}\p{N}_.: -]*$/u },
  { syntax: '*| |*', open: '*|', close: '|*', name: /^[\p{L}_][^|]*$/u },
  { syntax: '[[ ]]', open: '[[', close: ']]', name: /^ ?[\p{L}_][\p{L}\p{N}_.: -]*$/u },
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the syntax to find, not a mistake
    syntax: '${ }',
    open: '${',
    close: '}',
    // Neither a variable of every shell nor an operation on a variable (POSIX, Shell §2.6.2) is a field.
    name: new RegExp(
      `^(?!(?:${SHELL_VARIABLES})$)(?!\\w+(?::[-=?+]|[#%/])) ?[\\p{L}_][^{}]*$`,
      'u',
    ),
  },
  { syntax: '{% %}', open: '{%', close: '%}', name: /^-?\s*[a-z_]+\b[^{}]*$/iu },
  { syntax: '<% %>', open: '<%', close: '%>', name: /^[=-]?\s*[\p{L}_@][^%]*$/u },
  // Mailgun and shop systems join the words of a name by dots or underscores: `%recipient.name%`.
  {
    syntax: '%name%',
    open: '%',
    close: '%',
    name: /^(?![0-9a-f]{2})[a-z]{3,20}(?:[._][a-z]{2,20}){1,3}$/,
  },
  // The name must be in capitals, and must not look like a percent-encoded octet of a URL: `%E9TE%20` is not
  // a template field, and neither are the variables of Windows.
  {
    syntax: '%NAME%',
    open: '%',
    close: '%',
    name: new RegExp(`^(?![0-9A-F]{2})(?!(?:${WINDOWS_VARIABLES})$)[A-Z][A-Z0-9_-]{2,}$`),
  },
] as const;

/**
 * Maximum length of a template field's name, in characters. Names are short, and the limit keeps the search
 * linear.
 */
const MAX_NAME_LENGTH = 80;

/** An unreplaced template field. Its name never leaves the code that reads the email. */
interface Placeholder {
  readonly syntax: string;
  readonly name: string;
}

/** Returns the unreplaced template fields in a text. */
export const findPlaceholders = (text: string): readonly Placeholder[] => {
  const found: Placeholder[] = [];
  for (const { syntax, open, close, name } of SYNTAXES) {
    for (let at = text.indexOf(open); at !== -1; ) {
      const window = text.slice(
        at + open.length,
        at + open.length + MAX_NAME_LENGTH + close.length,
      );
      const end = window.indexOf(close);
      const inner = end === -1 ? '' : window.slice(0, end);
      // `%%` is a separate mark, so the second `%` opens no field.
      const doubled = open.length === 1 && text[at - 1] === open;
      const hit = inner !== '' && !doubled && !/[\r\n<]/.test(inner) && name.test(inner);
      if (hit) found.push({ syntax, name: inner.trim() });
      at = text.indexOf(open, hit ? at + open.length + end + close.length : at + 1);
    }
  }
  return found;
};

/** Number of lines with words at the beginning of a text that may be its greeting. */
const GREETING_LINES = 6;

/** Number of lines, and of characters per line, in which a greeting is looked for. */
const MAX_HEAD_LINES = 100;
const MAX_GREETING = 150;

/**
 * Matches a line that is only a greeting, in which a word in brackets or marks, or a null value of a
 * programming language, takes the place of the name: `Hello {FirstName},`. Elsewhere, such brackets and words
 * are part of ordinary texts.
 */
const NAMELESS =
  /^\s*\p{L}[\p{L}/()]{0,20}(?:\s\p{L}[\p{L}/()]{0,20}){0,2}\s?(?:([{[«]|<{1,2}|[#@]{1,2})\p{L}[\p{L}\p{N}_. -]{1,30}([}\]»]|>{1,2}|[#@]{1,2})|(?<=\s)(undefined|null|None|\[object Object\]))\s?[,!\u060c\uff01\uff0c\uff1a]\s*$/u;

/** Returns the fields that a greeting has where a name should be. */
const inGreeting = (text: string): readonly Placeholder[] =>
  text
    .split('\n', MAX_HEAD_LINES)
    .filter((line) => /\p{L}/u.test(line))
    .slice(0, GREETING_LINES)
    .flatMap((line) => {
      const [, open, close, nothing] = NAMELESS.exec(line.slice(0, MAX_GREETING)) ?? [];
      const syntax = open === undefined ? nothing : `${open} ${close}`;
      return syntax === undefined ? [] : [{ syntax, name: 'greeting' }];
    });

/** Returns the unreplaced template fields in a text that begins with a greeting. */
export const findFieldsInText = (text: string): readonly Placeholder[] => [
  ...findPlaceholders(text),
  ...inGreeting(text),
];

/** Matches the line with which a patch begins. */
const PATCH = /^(?:diff --git \S|@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)/;

/** Matches a frame of a stack trace, or the line above the frames, in common programming languages. */
const STACK_TRACE =
  /^[ \t]*(?:Traceback \(most recent call last\):|Stack ?trace:|at [\w.$<>]{1,200} ?\([^()\n]{1,200}:\d+\)|File "[^"\n]{1,200}", line \d+|#\d+ [^ \n]{1,200}\(\d+\): )/im;

/** Matches code within a line, as Markdown marks it. */
const INLINE_CODE = /`[^`\n]{1,200}`/g;

/**
 * Returns the parts of a text that its author quotes: code between fences or backquotes, a patch to the end of
 * the text, and lines of another email. All of a text with a stack trace is quoted, because it reports an
 * error in somebody's code.
 */
export function quotedParts(text: string): string {
  if (STACK_TRACE.test(text)) return text;
  let isFenced = false;
  let isPatch = false;
  const quoted = text.split('\n').filter((line) => {
    isPatch ||= PATCH.test(line);
    if (line.startsWith('```')) isFenced = !isFenced;
    return isFenced || isPatch || line.startsWith('>');
  });
  return [...quoted, ...(text.match(INLINE_CODE) ?? [])].join('\n');
}

export const hasPlaceholder = (text: string): boolean => findPlaceholders(text).length > 0;
