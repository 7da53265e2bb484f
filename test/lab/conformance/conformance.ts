import { dmarcSuite } from './dmarc.ts';
import { fromSuite } from './from.ts';
import { keptSuites, outsideSuites } from './public-suites.ts';
import { rfc8463Suite } from './rfc8463.ts';
import { scoreSuite } from './suite.ts';

/**
 * `npm run lab -- conformance`: the score of each suite, and of those in CORPUS_DIR. Resolves to the exit
 * code: 1 when a case that has to hold does not.
 */
export async function runConformance(): Promise<number> {
  const { suites, absent } = outsideSuites(process.env.CORPUS_DIR);
  let surprises = 0;
  for (const suite of [...keptSuites(), dmarcSuite, fromSuite, rfc8463Suite, ...suites]) {
    const score = await scoreSuite(suite);
    console.log(`${score.held}/${suite.cases.length}  ${suite.name}`);
    for (const { name, instead } of score.missed)
      console.log(`    ${name}: ${suite.excepted[name] ?? `NOT EXPECTED: ${instead}`}`);
    surprises += score.surprises;
  }
  if (absent.length > 0) console.log(`Not run, for want of CORPUS_DIR/… : ${absent.join(', ')}`);
  return surprises === 0 ? 0 : 1;
}
