// biome-ignore lint/performance/noBarrelFile: browsers are served the module of the domain at this path.
export { digest } from '../../../domain/report/digest.mjs';
