import type { Facts } from '../facts.ts';
import { entryOf } from '../lookup-result.ts';

/**
 * A fix, and what has to be known to follow it: a name that is an alias holds no record of its own
 * (RFC 1034 §3.6.2), so that nothing can be published there.
 */
export function noteAliases(fix: string, { aliases = {} }: Facts): string {
  // A record that is printed names others' hosts, too.
  const names = fix.replace(/"[^"]*"/g, '').split(/[\s,;:()]+/);
  const said = [...new Set(names.map((name) => name.replace(/\.$/, '')))].flatMap((name) => {
    const target = entryOf(aliases, name.toLowerCase());
    return target === undefined
      ? []
      : [
          `${name} is an alias (CNAME) of ${target}: change the record there, or put it in place of the alias.`,
        ];
  });
  return [fix, ...said].join(' ');
}
