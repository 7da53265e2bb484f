import { createVerifyMail } from '../../../src/adapters/mailauth/verify.ts';
import { passPlainly } from '../../../src/inspection/plain-pass.ts';

/** Verifies a mail as a worker does. */
export const verifyMail = createVerifyMail(passPlainly);
