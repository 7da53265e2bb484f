// `npm test`: every check that CI runs, then one line with the sum. With arguments: only the tests
// that they select, by Vitest's own rules; `--unit`: those that need no server; `--checks`: the types,
// and what a changed check of a mail concerns.
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
  'test/analysis/whole/whole.int.test.ts',
  'test/api/openapi.test.ts',
  // What else a new check can break: the size of its file, a word, the list of findings.
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
    // Started together, shown in order.
    const runs = wanted.map(({ name, steps }) => ({ name, result: capture(steps) }));
    for (const { name, result } of runs) {
      const { ok, output, seconds } = await result;
      console.log(`${ok ? 'pass' : 'FAIL'}  ${name} (${seconds} s)`);
      if (!ok) console.log(output);
      counts = add(counts, { passed: Number(ok), failed: Number(!ok), skipped: 0 });
    }
  }

  // A failing file would be listed test by test: three failures among thousands of lines. Without a terminal
  // only they are shown.
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
