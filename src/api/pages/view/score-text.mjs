// biome-ignore lint/performance/noBarrelFile: browsers are served the module of the domain at this path.
export { gradeOf, scoreText } from '../../../domain/report/score-text.mjs';
