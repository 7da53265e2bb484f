/** Writes Vitest's JSON report without printing a line about its file. */

import { JsonReporter } from 'vitest/node';

/** Vitest's JSON report, without a word about its file, because the caller reads and removes it. */
// biome-ignore lint/style/noDefaultExport: Vitest takes a file's default for the reporter.
export default class JsonReport extends JsonReporter {
  /**
   * @override
   * @param {import('vitest/node').Vitest} vitest
   */
  onInit(vitest) {
    super.onInit(Object.create(vitest, { logger: { value: { log() {} } } }));
  }
}
