import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DnsAnswer, Resolver } from '../../../src/ports/dns.ts';
import { judgeByOldRules, judgeSignatures } from './judge-signatures.ts';
import type { Suite } from './suite.ts';
import { toCrlf } from './verify-raw.ts';

/** DomainKeys (RFC 4870) and the oldest draft of DKIM: neither is verified here. */
const OUT_OF_SCOPE = /^(?:(?:good|bad)_dk_|dk_|good_ietf00_)/;

const GOOD = /^(?:good|mine|multiple|no_body)/;

/** Mails of drafts before RFC 4871 have no `v=`, or another. */
const OLD_VERSION = /^v= /;

/** The corpus is older than RFC 8301 and has keys of 512 bits. */
const MIN_RSA_BITS = 512;

const OBSOLETE_G = 'g= of a key is gone since RFC 6376 (§C.2)';

const EXCEPTED = {
  'badkey_8.txt': OBSOLETE_G,
  'badkey_9.txt': OBSOLETE_G,
  'badkey_12.txt': OBSOLETE_G,
  'badkey_13.txt': OBSOLETE_G,
};

/**
 * The corpus of Mail::DKIM, its folder `t`: a file's name says what the mail is, the DNS is in
 * FAKE_DNS.dat. Judged without RFC 8301, whose refusals would hide the faults it is made for; with
 * it, as the service judges, nothing bad may pass either.
 */
export function readMailDkim(dir: string): Suite {
  const ask = askFakeDns(readFileSync(join(dir, 'FAKE_DNS.dat'), 'utf8'));
  const files = readdirSync(join(dir, 'corpus')).filter((file) => !OUT_OF_SCOPE.test(file));
  return {
    name: 'Mail::DKIM corpus',
    cases: files.sort().map((name) => ({
      name,
      run: async () => {
        const text = toCrlf(readFileSync(join(dir, 'corpus', name), 'latin1'));
        const mail = Buffer.from(text, 'latin1');
        const isGood = GOOD.test(name);
        const verdicts = await judgeByOldRules(mail, ask, {
          minRsaBits: MIN_RSA_BITS,
          isBorne: (fault) => OLD_VERSION.test(fault),
        });
        if (verdicts.some(({ result }) => result === 'pass') !== isGood)
          return verdicts.map(({ result, reason }) => reason ?? result).join(', ');
        const signatures = await judgeSignatures(mail, ask);
        const passes = signatures.some(({ result }) => result === 'pass');
        return passes && !isGood ? 'a pass with RFC 8301' : null;
      },
    })),
    excepted: EXCEPTED,
  };
}

/** `name text`; `NXDOMAIN`, or `~~an error~~` instead of a text. */
function askFakeDns(file: string): Resolver['ask'] {
  const zone = new Map(
    file
      .split(/\r?\n/)
      .filter((line) => !/^\s*(?:[#;]|$)/.test(line))
      .map((line): [string, string] => {
        const [name = '', text = ''] = line.split(/\s+(.*)/s);
        return [name.toLowerCase(), text];
      }),
  );
  return async (name): Promise<DnsAnswer<unknown>> => {
    const text = zone.get(name.toLowerCase());
    if (text?.startsWith('~~')) return { status: 'failed', error: 'SERVFAIL' };
    if (text === undefined || text === 'NXDOMAIN') return { status: 'nxdomain', cnames: [] };
    return { status: 'found', records: [[text]], cnames: [] };
  };
}
