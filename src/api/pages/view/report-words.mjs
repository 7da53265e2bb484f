// Browsers are served the modules of the domain, joined, at this path.
// biome-ignore lint/performance/noBarrelFile: see above.
export { compareStandings, standingsOf } from '../../../domain/report/compare.mjs';
export { digest } from '../../../domain/report/digest.mjs';
export { gradeOf, scoreText } from '../../../domain/report/score-text.mjs';
