// Runs `npm test`: every check that CI runs, then prints one line with the total. With arguments, it runs
// only the tests that they select, by Vitest's own rules; `--unit` selects those that need no server, and
// `--checks` the types and everything that a changed check of an email affects.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checks } from './checks.mjs';
import { add, countVitest, remarks, summary } from './counts.mjs';
import { development, loops } from './scripts.mjs';
import { capture, runVitest } from './steps.mjs';

const testsOfChecks = [
  'test/analysis/checks.test.ts',
  'test/analysis/sample.test.ts',
  'test/lab/generate/generate.test.ts',
  'test/analysis/whole/coverage.test.ts',
  'test/analysis/whole/whole.slow.test.ts',
  'test/api/openapi.test.ts',
  // Files that a new check can also break: the size limit of a file, a word, the list of findings.
  'test/architecture.test.ts',
  'test/names.test.ts',
  'test/client/findings.test.ts',
];
const given = process.argv.slice(2);
if (given.includes('--help') || given.includes('-h')) {
  process.stdout.write(`npm test -- ${development.test.options}\n\n${loops()}`);
  process.exit();
}
const isOfChecks = given.includes('--checks');
const args = given.flatMap((arg) =>
  arg === '--unit' ? ['--project', 'unit'] : arg === '--checks' ? testsOfChecks : arg,
);
const workDir = mkdtempSync(join(tmpdir(), 'npm-test-'));
let counts = { passed: 0, failed: 0, skipped: 0 };

try {
  if (args.length === 0 || isOfChecks) {
    const wanted = checks(workDir).filter(({ name }) => !isOfChecks || name === 'types');
    // The checks are started together and shown in order.
    const runs = wanted.map(({ name, steps }) => ({ name, result: capture(steps) }));
    for (const { name, result } of runs) {
      const { ok, output, seconds } = await result;
      console.log(`${ok ? 'pass' : 'FAIL'}  ${name} (${seconds} s)`);
      if (!ok) console.log(output);
      counts = add(counts, { passed: Number(ok), failed: Number(!ok), skipped: 0 });
    }
  }

  // A failing file would be listed test by test, so that three failures would be lost among thousands of
  // lines. Without a terminal, only the failures are shown.
  const { exitCode, results } = await runVitest(workDir, args, {
    reporter: !isOfChecks ? 'default' : process.stdout.isTTY ? 'dot' : 'minimal',
  });
  const byName = args.some((arg) => /^(?:-t|--testNamePattern)(?:=|$)/.test(arg));
  for (const remark of remarks(results, byName)) console.log(remark);
  const tests = countVitest(results, exitCode);
  console.log(`${tests.failed === 0 ? 'pass' : 'FAIL'}  tests`);
  counts = add(counts, tests);
} finally {
  rmSync(workDir, { recursive: true, force: true });
}

console.log(summary(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
