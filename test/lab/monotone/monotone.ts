/**
 * Checks that improving an email never lowers its score, and that removing a good thing never raises it.
 */

import fc from 'fast-check';
import { readOptions } from '../../../src/config/command-line.ts';
import { applyFix } from '../../analysis/whole/apply-fix.ts';
import { type Analyzer, startWholeEnvironment } from '../../analysis/whole/environment.ts';
import { analyzingOnce } from '../../analysis/whole/remembering.ts';
import { goodThings } from './good-things.ts';
import { type RandomEmail, randomEmail, toSituation } from './random-emails.ts';

/** Number of emails, unless one is given. */
const COUNT = 1000;

/** Finds where fixing one thing lowers the score of an email, or removing a good thing raises it. */
export async function findSteps(
  one: RandomEmail,
  { analyze }: Analyzer,
): Promise<readonly string[]> {
  const situation = toSituation(one);
  const { report } = await analyze(situation);
  const scoreOf = async (other: RandomEmail) => (await analyze(toSituation(other))).report.score;
  const wrong: string[] = [];
  for (const { name, add, remove } of goodThings) {
    const withIt = await scoreOf(add(one));
    const withoutIt = await scoreOf(remove(one));
    if (withIt < report.score) wrong.push(`+ ${name}: ${report.score} becomes ${withIt}`);
    if (withoutIt > withIt) wrong.push(`- ${name}: ${withIt} becomes ${withoutIt}`);
  }
  for (const finding of report.findings) {
    const fixed = applyFix(situation, finding);
    if (fixed === null) continue;
    const { score } = (await analyze(fixed)).report;
    if (score < report.score) wrong.push(`fix of ${finding.id}: ${report.score} becomes ${score}`);
  }
  return wrong;
}

/**
 * Runs `npm run lab -- monotone`: fixes one thing in each of many seeded emails, or removes a good thing, and
 * prints where the score changes in the wrong direction. Resolves to the exit code.
 */
export async function runMonotone(args: readonly string[]): Promise<number> {
  const { values } = readOptions(args, {
    count: { type: 'string', default: String(COUNT) },
    seed: { type: 'string', default: '1' },
  });
  const emails = fc.sample(randomEmail, {
    seed: Number(values.seed),
    numRuns: Number(values.count),
  });
  const environment = await startWholeEnvironment();
  let bad = 0;
  for (const [n, one] of emails.entries()) {
    // An email that already has it, or never had it, is analysed once.
    const wrong = await findSteps(one, analyzingOnce(environment));
    if (wrong.length === 0) continue;
    bad += 1;
    console.log(`email ${n}: ${wrong.join('; ')}`);
    console.log(`  ${JSON.stringify(one)}`);
  }
  await environment.stop();
  console.log(
    `${emails.length} emails from seed ${values.seed}, ${goodThings.length} good things each and every fix: ${bad} go the wrong way`,
  );
  return bad === 0 ? 0 : 1;
}
