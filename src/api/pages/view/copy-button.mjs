/** @import { Context } from './context.mjs' */
import { html } from './html.mjs';

/**
 * @param {Context} context
 * @param {string} what what is copied, for who does not see it
 * @param {string} value
 */
export const copyButton = ({ t }, what, value) =>
  html`<button type="button" class="copy" data-copy="${value}" aria-label="${t('copy_what', { what })}">${t('copy')}</button>`;
