/** Serves browsers the words about spam filters that the command and the tools use, too. */

// biome-ignore lint/performance/noBarrelFile: browsers are served the module of the domain at this path.
export {
  FILTER_LIMITS,
  filterTitle,
  filterVerdict,
  leftOutLine,
  signed,
} from '../../../domain/report/filter-words.mjs';
