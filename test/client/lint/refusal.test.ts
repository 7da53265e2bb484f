/** Tests what `lint` says about an email that the service would refuse. */

import { expect, test } from 'vitest';
import { lintWith, zone } from './lint-environment.ts';

test('lint says that the service would refuse an email, why, and what to do', async () => {
  const spf = 'example.com. 300 IN TXT "v=spf1 ip4:192.0.2.99 -all"';
  const { stdout } = await lintWith({
    dns: zone({ spf }),
    signatures: [],
    args: ['--whole-zone=example.com'],
  });
  expect(stdout.replace(/\s+/g, ' ')).toMatch(
    /The service would refuse this email: SPF is fail .*\. If 192\.0\.2\.25 is yours, add ip4:192\.0\.2\.25 to the SPF record, or sign with DKIM\./,
  );
});
