/** @import { Problem } from './api.mjs' */
import { t } from './context.mjs';

/**
 * What went wrong and what to do, in the reader's words; what this page does not know, in the
 * service's own.
 *
 * @param {Problem} problem
 */
export function problemText({ code, title, detail, retryAfter }) {
  switch (code) {
    case 'offline':
      return t('problem_offline');
    case 'rate_limited':
      return t('problem_rate_limited', { seconds: retryAfter });
    case 'creation_paused':
      return t('problem_creation_paused', { minutes: Math.max(1, Math.ceil(retryAfter / 60)) });
    case 'log_unavailable':
    case 'facilitator_unavailable':
    case 'test_damaged':
      return t('problem_unavailable');
    case 'internal_error':
      return t('problem_internal');
    default:
      return [title, detail].filter(Boolean).join(' ') || t('problem_internal');
  }
}
