/**
 * Facts about the ways to unsubscribe from a perfect email and from a perfect bulk email, for
 * tests.
 */

import type { UnsubscribeFacts } from '../../../src/analysis/unsubscribe/facts.ts';

export const unsubscribe: UnsubscribeFacts = {
  bulk: {
    isBulk: false,
    mayBe: false,
    automated: false,
    isResponse: false,
    autoSubmitted: null,
    precedence: null,
    hasListId: false,
    listId: null,
    hasFeedbackId: false,
  },
  listUnsubscribe: {
    present: false,
    faults: [],
    https: false,
    reachable: true,
    mailto: false,
    host: null,
    post: false,
    postFault: null,
  },
};

export const bulkUnsubscribe = {
  bulk: { isBulk: true, hasListId: true },
  listUnsubscribe: { present: true, https: true, mailto: true, post: true },
} as const;
