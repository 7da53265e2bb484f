import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sampleText } from '../../support/mail/sample-facts.ts';
import { machineFiles, PAGE } from '../machines/machines.ts';
import { describeApi } from '../openapi/openapi.ts';
import { settingsFiles } from '../settings/settings.ts';

/** `npm run generate`: writes every file of the repository that follows from the code. */
export async function generateFiles(): Promise<number> {
  const files = {
    ...settingsFiles(),
    ...machineFiles(readFileSync(PAGE, 'utf8')),
    'src/analysis/sample-report.json': sampleText(),
    'docs/api/openapi-1.json': `${JSON.stringify(await describeApi(), null, 2)}\n`,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(file);
  }
  return 0;
}
