import type { SettingRow } from '../../../src/config/row.ts';
import { ABOUT, type Name, sections } from '../../../src/config/table.ts';

/** Widest line of a comment, in characters. */
const WIDTH = 100;

type AnyRow = SettingRow<unknown>;

const rowsOf = (section: object) => Object.entries(section) as [Name, AnyRow][];

/** The text of `.env.example`. */
export function toEnvExample(): string {
  const parts = Object.entries(sections).map(([title, section]) => {
    const rows = rowsOf(section).map(
      ([name, { fallback }]) => `${toComment(ABOUT[name])}\n${name}=${fallback ?? ''}\n`,
    );
    return `# --- ${title} ${'-'.repeat(WIDTH - 7 - title.length)}\n${rows.join('')}`;
  });
  const head = toComment(
    'Copy to .env and set what you need. An empty value means the default. Written by `npm run generate` from src/config/table.ts.',
  );
  return `${head}\n\n${parts.join('\n')}`;
}

function toComment(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (`# ${last} ${word}`.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line) => `# ${line}`).join('\n');
}

const toCell = (text: string) => text.replaceAll('|', '\\|');

/** The text of `docs/settings.md`. */
export function toPage(): string {
  const parts = Object.entries(sections).map(([title, section]) => {
    const rows = rowsOf(section).map(([name, { kind, fallback }]) => {
      const shown = fallback === null ? '' : `\`${fallback}\``;
      return `| \`${name}\` | ${shown} | ${toCell(ABOUT[name])} Must be ${toCell(kind.allowed)}. |`;
    });
    return `## ${title}\n\n| setting | default | what it is for |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Settings

Set them in the environment or in \`.env\`; the environment wins. An empty value means the default. \`npm start -- --check\` checks them and
starts nothing: it prints every fault at once, each in one line. This page is written by \`npm run generate\` from \`src/config/table.ts\`.

${parts.join('\n')}`;
}

const BEGIN = '      # Every setting, from .env; `npm run generate` writes these lines.\n';
const END = '      # The end of the settings.\n';

/** `docker-compose.yml` with every setting in the environment of the service. */
export function withSettings(compose: string): string {
  const [head, tail] = [compose.indexOf(BEGIN), compose.indexOf(END)];
  if (head < 0 || tail < head) throw new Error('docker-compose.yml has no lines for the settings.');
  const lines = Object.values(sections).flatMap((section) =>
    rowsOf(section).map(
      ([
        name,
        {
          compose: { fixed, unset = '' },
        },
      ]) => {
        const value = fixed ?? `\${${name}:-${unset}}`;
        return `      ${name}: '${value.replaceAll("'", "''")}'\n`;
      },
    ),
  );
  return compose.slice(0, head + BEGIN.length) + lines.join('') + compose.slice(tail);
}
