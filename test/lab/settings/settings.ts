/** Generates `.env.example`, and the list of all settings in docker-compose.yml. */

import { readFileSync } from 'node:fs';
import { type Name, sections } from '../../../src/config/settings.ts';

/** Widest line of a comment, in characters. */
const WIDTH = 100;

/** How a setting reaches the service in docker-compose.yml, if not as `${NAME:-}`. */
const COMPOSE: Partial<Record<Name, string>> = {
  // These values are fixed, because the other services in docker-compose.yml rely on them.
  BASE_URL: `https://\${SITE_ADDRESS:-localhost}`,
  HTTP_HOST: '0.0.0.0',
  HTTP_PORT: '8080',
  METRICS_HOST: '0.0.0.0',
  METRICS_PORT: '9464',
  SMTP_HOST: '0.0.0.0',
  SMTP_PORT: '2525',
  NATS_URL: 'tls://nats-1:4222,tls://nats-2:4222,tls://nats-3:4222',
  NATS_USER: 'service',
  NATS_PASSWORD_FILE: '/run/secrets/nats_password',
  NATS_TLS_CA_FILE: '/run/secrets/nats_ca.pem',
  NATS_REPLICAS: '3',
  DATA_DIR: '/data',
  X402_WALLET_KEY_FILE: '/run/secrets/wallet_key',
  // These values are defaults that .env may change.
  TRUST_PROXY: `\${TRUST_PROXY:-172.30.25.2}`,
  DNS_SERVERS: `\${DNS_SERVERS:-172.30.25.53:5353}`,
};

/** Returns the text of `.env.example`. */
function toEnvExample(): string {
  const parts = Object.entries(sections).map(([title, section]) => {
    const rows = Object.entries(section).map(
      ([name, { fallback, about }]) => `${toComment(about)}\n${name}=${fallback ?? ''}\n`,
    );
    return `# --- ${title} ${'-'.repeat(WIDTH - 7 - title.length)}\n${rows.join('')}`;
  });
  const head = toComment(
    'Copy to .env and set what you need. An empty value means the default. Put a value that contains # in quotes. Written by `npm run generate` from src/config/settings.ts.',
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

const BEGIN = '      # Every setting, from .env; `npm run generate` writes these lines.\n';
const END = '      # The end of the settings.\n';

/** Returns `docker-compose.yml` with every setting in the environment of the service. */
function withSettings(compose: string): string {
  const [head, tail] = [compose.indexOf(BEGIN), compose.indexOf(END)];
  if (head < 0 || tail < head) throw new Error('docker-compose.yml has no lines for the settings.');
  const lines = Object.values(sections)
    .flatMap((section) => Object.keys(section) as Name[])
    .map((name) => {
      const value = COMPOSE[name] ?? `\${${name}:-}`;
      return `      ${name}: '${value.replaceAll("'", "''")}'\n`;
    });
  return compose.slice(0, head + BEGIN.length) + lines.join('') + compose.slice(tail);
}

/** Returns each file that is generated from the table of settings, with its text. */
export const settingsFiles = (): Readonly<Record<string, string>> => ({
  '.env.example': toEnvExample(),
  'docker-compose.yml': withSettings(readFileSync('docker-compose.yml', 'utf8')),
});
