/** Writes the type declarations of the library. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DescribedReport } from '../../../src/api/schemas/components.ts';
import { DomainReport } from '../../../src/domain/report/domain-report.ts';
import { toTypeScript } from './to-typescript.ts';

/** The sources of everything that the library's declarations name. All of them state their types. */
const SOURCES = [
  'src/client/library.ts',
  'src/client/exit.ts',
  'src/client/payment/account.ts',
  'src/domain/errors.ts',
  'src/domain/transfer-authorization.ts',
];

const REPORTS = [
  ['Report', 'domain/report/report.d.ts', DescribedReport],
  ['DomainReport', 'domain/report/domain-report.d.ts', DomainReport],
] as const;

/** Where the types of the package begin. */
export const TYPES = 'types/client/library.d.ts';

/** Writes the types of the library. Those of the report come from its schema, so no package is needed. */
export function declareTypes(root: string, folder: string): void {
  const types = join(folder, 'types');
  execFileSync(
    process.execPath,
    [
      ...[
        join(root, 'node_modules/typescript/bin/tsc'),
        '--ignoreConfig',
        '--noCheck',
        '--noResolve',
      ],
      ...['--declaration', '--emitDeclarationOnly', '--target', 'es2025', '--module', 'nodenext'],
      ...['--rewriteRelativeImportExtensions', '--rootDir', join(root, 'src'), '--outDir', types],
      ...SOURCES.map((file) => join(root, file)),
    ],
    { stdio: 'inherit' },
  );
  // Modules that are imported only for their effect have no types.
  const entry = join(folder, TYPES);
  writeFileSync(entry, readFileSync(entry, 'utf8').replace(/^import '.*';\n/gm, ''));
  for (const [name, path, schema] of REPORTS) {
    const file = join(types, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `export type ${name} = ${toTypeScript(schema as never)};\n`);
  }
}
