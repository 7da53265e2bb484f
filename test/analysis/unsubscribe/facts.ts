import type { UnsubscribeFacts } from '../../../src/analysis/unsubscribe/facts.ts';

export const unsubscribe: UnsubscribeFacts = {
  bulk: {
    isBulk: false,
    automated: false,
    hasAutoSubmitted: false,
    hasListIdOrFeedbackId: false,
    oddPrecedence: false,
  },
  listUnsubscribe: {
    present: false,
    faults: [],
    https: false,
    mailto: false,
    post: false,
    postFault: null,
  },
};

export const bulkUnsubscribe = {
  bulk: { isBulk: true, hasListIdOrFeedbackId: true },
  listUnsubscribe: { present: true, https: true, mailto: true, post: true },
} as const;
