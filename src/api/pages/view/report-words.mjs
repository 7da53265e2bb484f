// Browsers are served the two modules of the domain, joined, at this path.
// biome-ignore lint/performance/noBarrelFile: see above.
export { digest } from '../../../domain/report/digest.mjs';
export { gradeOf, scoreText } from '../../../domain/report/score-text.mjs';
