/** Lists all crowds in the order in which they run. */

import type { Crowd } from './crowd.ts';
import { dnsCrowds } from './dns-rows.ts';
import { httpCrowds } from './http-rows.ts';
import { smtpCrowds } from './smtp-rows.ts';
import { uploadCrowds } from './upload-rows.ts';

/** The crowds in the order in which they run. The last one fills the log of its service. */
export const crowds: readonly Crowd[] = [
  ...smtpCrowds,
  ...uploadCrowds,
  ...dnsCrowds,
  ...httpCrowds,
];
