/** Finds unreplaced template fields in a text. */

import { splitWords } from '../syntax/words.ts';

/** Variables that instructions for Windows contain, such as `%APPDATA%`. */
const WINDOWS_VARIABLES = splitWords(
  'ALLUSERSPROFILE APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PROGRAMDATA PROGRAMFILES ' +
    'SYSTEMDRIVE SYSTEMROOT TEMP TMP USERPROFILE WINDIR',
).join('|');

/** The syntaxes of template fields: the opening and closing mark of each, and its name in findings. */
const SYNTAXES = [
  { syntax: '{{ }}', open: '{{', close: '}}', name: /^[{#/^&>!~ ]{0,4}[\p{L}_@][^{}]*$/u },
  { syntax: '%% %%', open: '%%', close: '%%', name: /^[\p{L}_][\p{L}\p{N}_.: -]*$/u },
  { syntax: '*| |*', open: '*|', close: '|*', name: /^[\p{L}_][^|]*$/u },
  { syntax: '[[ ]]', open: '[[', close: ']]', name: /^ ?[\p{L}_][\p{L}\p{N}_.: -]*$/u },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the syntax to find, not a mistake
  { syntax: '${ }', open: '${', close: '}', name: /^ ?[\p{L}_][^{}]*$/u },
  { syntax: '{% %}', open: '{%', close: '%}', name: /^-?\s*[a-z_]+\b[^{}]*$/iu },
  { syntax: '<% %>', open: '<%', close: '%>', name: /^[=-]?\s*[\p{L}_@][^%]*$/u },
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

/**
 * Returns the unreplaced template fields in a text, each with its syntax and its name. The names never leave
 * the code that reads the email.
 */
export const findPlaceholders = (text: string): readonly { syntax: string; name: string }[] => {
  const found: { syntax: string; name: string }[] = [];
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

export const hasPlaceholder = (text: string): boolean => findPlaceholders(text).length > 0;
