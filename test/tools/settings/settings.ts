import { readFileSync, writeFileSync } from 'node:fs';
import { toEnvExample, toPage, withSettings } from './render.ts';

/** Each file that follows from the table of settings, with its text. */
export const settingsFiles = (): Readonly<Record<string, string>> => ({
  '.env.example': toEnvExample(),
  'docs/settings.md': toPage(),
  'docker-compose.yml': withSettings(readFileSync('docker-compose.yml', 'utf8')),
});

/** `npm run settings`: writes what the table of settings says everywhere it is said. */
export async function runSettings(): Promise<number> {
  for (const [file, text] of Object.entries(settingsFiles())) {
    writeFileSync(file, text);
    console.log(file);
  }
  return 0;
}
