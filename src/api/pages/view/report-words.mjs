/**
 * Re-exports the words and rules of a report that the command and the MCP tools use too, so that browsers can
 * load them.
 */

// biome-ignore lint/performance/noBarrelFile: browsers are served the modules of the domain at this path.
export { compareStandings, standingsOf } from '../../../domain/report/compare.mjs';
export { digest } from '../../../domain/report/digest.mjs';
export { gradeOf, scoreText } from '../../../domain/report/score-text.mjs';
