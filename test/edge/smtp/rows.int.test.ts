/** Tests the SMTP server with the tables of sessions and replies. */

import { expect, test } from 'vitest';
import { MAIL } from '../../support/mail/mail-environment.ts';
import { smtpEnvironment } from '../../support/mail/smtp-environment.ts';
import { commandRows } from './command-rows.ts';
import { mailRows } from './mail-rows.ts';
import { play } from './play.ts';

/** `/…/` with its flags is a regular expression. Anything else is the beginning of a reply. */
function matching(text: string) {
  const [, source, flags] = /^\/(.*)\/(s?)$/s.exec(text) ?? [];
  return expect.stringMatching(
    source === undefined ? new RegExp(`^${RegExp.escape(text)}`) : new RegExp(source, flags),
  );
}

test.each([...commandRows, ...mailRows])('$name', async ({ input, budget, expected }) => {
  const { settings, before, early = null, packet = null, steps } = input;
  const environment = await smtpEnvironment(settings);
  await before?.(environment);
  const played = await play(environment.port, { early, packet, steps });
  // The goodbye to the final QUIT is not part of a row.
  const replies = played.replies.filter((reply) => !reply.startsWith('221 '));
  expect(replies).toEqual(expected.replies.map(matching));
  await expect.poll(() => environment.mailBuffer.bytes()).toBe(budget.mailBytes);
  expect(environment.types()).toEqual(expected.events);
  if (expected.texts) expect(environment.inspection.texts).toEqual(expected.texts);
  if (expected.envelope) expect(environment.envelopes.at(-1)).toMatchObject(expected.envelope);
  if (before || settings) return;
  expect(await environment.deliver(MAIL)).toMatch(/^250 2\.0\.0 Your email was analysed/);
});
