/**
 * @import { Translate } from '../texts.ts'
 *
 * @typedef {{ readonly code: string, readonly title?: string, readonly detail?: string, readonly retryAfter: number }} Problem what is read of a problem document, with the seconds until another attempt
 */

/**
 * What went wrong and what to do, for people; what no text is for, in the service's own words.
 *
 * @param {Translate} t
 * @param {Problem} problem
 */
export function problemText(t, { code, title, detail, retryAfter }) {
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
