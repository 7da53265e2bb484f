/** An opening and a closing mark, and the syntax as findings name it. */
const SYNTAXES = [
  { syntax: '{{ }}', open: '{{', close: '}}', name: /^[{#/^&>!~ ]{0,4}[\p{L}_@][^{}]*$/u },
  { syntax: '%% %%', open: '%%', close: '%%', name: /^[\p{L}_][\p{L}\p{N}_.: -]*$/u },
  { syntax: '*| |*', open: '*|', close: '|*', name: /^[\p{L}_][^|]*$/u },
  { syntax: '[[ ]]', open: '[[', close: ']]', name: /^ ?[\p{L}_][\p{L}\p{N}_.: -]*$/u },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax looked for
  { syntax: '${ }', open: '${', close: '}', name: /^ ?[\p{L}_][^{}]*$/u },
  { syntax: '{% %}', open: '{%', close: '%}', name: /^-?\s*[a-z_]+\b[^{}]*$/iu },
  { syntax: '<% %>', open: '<%', close: '%>', name: /^[=-]?\s*[\p{L}_@][^%]*$/u },
  // In capitals, and not as the octets of a URL begin: `%E9TE%20` is no field.
  { syntax: '%NAME%', open: '%', close: '%', name: /^(?![0-9A-F]{2})[A-Z][A-Z0-9_-]{2,}$/ },
] as const;

/** A field's name is short; looking no further keeps the search linear. */
const MAX_NAME_LENGTH = 80;

/** The unreplaced template fields of a text, as `syntax` and name. The names stay inside. */
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
      // `%%` is a mark of its own.
      const doubled = open.length === 1 && text[at - 1] === open;
      const hit = inner !== '' && !doubled && !/[\r\n<]/.test(inner) && name.test(inner);
      if (hit) found.push({ syntax, name: inner.trim() });
      at = text.indexOf(open, hit ? at + open.length + end + close.length : at + 1);
    }
  }
  return found;
};

export const hasPlaceholder = (text: string): boolean => findPlaceholders(text).length > 0;
