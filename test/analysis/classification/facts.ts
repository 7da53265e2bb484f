/** Classification facts of a perfect email and of a perfect bulk email, for tests. */

import type { Classification } from '../../../src/domain/report/message.ts';

export const classification: Classification = {
  class: 'transactional',
  confidence: 0.8,
  evidence: [],
};

export const bulkClassification: Classification = {
  class: 'marketing',
  confidence: 0.8,
  evidence: ['List-Id header'],
};
