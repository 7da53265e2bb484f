import { readFileSync } from 'node:fs';
import { toEnvExample, withSettings } from './render.ts';

/** Each file that follows from the table of settings, with its text. */
export const settingsFiles = (): Readonly<Record<string, string>> => ({
  '.env.example': toEnvExample(),
  'docker-compose.yml': withSettings(readFileSync('docker-compose.yml', 'utf8')),
});
