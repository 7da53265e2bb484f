/** Runs `npm run generate`, which writes all files that are generated from the code. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { commandSchema } from '../../../src/client/formats/json-schema.ts';
import { sampleText } from '../../support/mail/sample-facts.ts';
import { machineFiles, PAGE } from '../machines/machines.ts';
import { describeApi, describedAt } from '../openapi/openapi.ts';
import { settingsFiles } from '../settings/settings.ts';
import { FOLDERS_PAGE, foldersFile } from './folder-table.ts';

const toJson = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** Returns every file of the repository that is generated from the code, with its text. */
export const generatedFiles = async (): Promise<Readonly<Record<string, string>>> => ({
  ...settingsFiles(),
  ...machineFiles(readFileSync(PAGE, 'utf8')),
  ...foldersFile(readFileSync(FOLDERS_PAGE, 'utf8')),
  'src/analysis/sample-report.json': sampleText(),
  'docs/api/openapi-1.json': toJson(await describeApi()),
  'docs/api/report-2.schema.json': toJson(await describedAt('/schemas/report-2.json')),
  'docs/api/command-1.schema.json': toJson(commandSchema),
});

/** Runs `npm run generate`, which writes them all. */
export async function generateFiles(): Promise<number> {
  for (const [file, text] of Object.entries(await generatedFiles())) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(file);
  }
  return 0;
}
