import { ABOUT, type Name, sections } from './table.ts';

/** Every setting with its default and what it is for: what `npm start -- --help` prints. */
export function describeSettings(): string {
  const lines = Object.entries(sections).flatMap(([title, rows]) => [
    '',
    `${title}:`,
    ...Object.entries(rows).map(
      ([name, { fallback }]) => `  ${name}=${fallback ?? ''}\n      ${ABOUT[name as Name]}`,
    ),
  ]);
  return [
    'npm start [-- --check | --help]',
    '',
    '  --check  checks the settings and starts nothing',
    '',
    'Settings come from the environment, and from .env for what it does not name. An empty value',
    'means the default, which is shown.',
    ...lines,
  ].join('\n');
}
