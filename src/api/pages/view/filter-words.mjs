/**
 * Re-exports the words about spam filters, which the command and the MCP tools use too, so that browsers can
 * load them.
 */

// biome-ignore lint/performance/noBarrelFile: browsers are served the module of the domain at this path.
export {
  FILTER_LIMITS,
  filterTitle,
  filterVerdict,
  leftOutLine,
  signed,
} from '../../../domain/report/filter-words.mjs';
