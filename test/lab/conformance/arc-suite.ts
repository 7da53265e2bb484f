/** Reads ValiMail's suite of ARC cases. */

import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { Zone } from '../../environment/dns-zone.ts';
import { differs, type Suite } from './suite.ts';
import { toCrlf, verifyRaw } from './verify-raw.ts';
import { askZone } from './zone-resolver.ts';

interface Scenario {
  readonly description: string;
  readonly tests: Readonly<Record<string, { readonly message: string; readonly cv: string }>>;
  readonly 'txt-records': Readonly<Record<string, string>>;
}

const EXCEPTED = {
  // This email is signed as relaxed/relaxed, which was the default in a draft.
  ams_fields_c_na: 'no c= means simple/simple (RFC 8617 §4.1.2, RFC 6376 §3.5)',
  ams_fields_h_empty: 'h= has to name From at least (RFC 6376 §5.4)',
};

/** The suite's own expectations since its revision of 2018, used for any revision. */
const REVISED: Readonly<Record<string, string>> = {
  ams_fields_a_sha1: 'fail',
  ams_fields_c_na: 'pass',
  as_fields_a_sha1: 'fail',
};

/** Reads the validation part of ValiMail's ARC suite, which has one YAML document per scenario. */
export function readArcSuite(file: string): Suite {
  const cases = parseAllDocuments(readFileSync(file, 'utf8'), { logLevel: 'error' }).flatMap(
    (document) => {
      const scenario = document.toJS() as Scenario | null;
      if (!scenario?.tests) return [];
      const ask = askZone(toZone(scenario['txt-records'] ?? {}));
      // The suite leaves three cases without an expectation.
      const tests = Object.entries(scenario.tests).filter(([, { cv }]) => cv);
      return tests.map(([name, { message, cv }]) => ({
        name,
        run: async () => {
          const { arc } = await verifyRaw(toCrlf(message), ask);
          const got = arc.status === 'known' ? arc.value.report.result : 'unknown';
          return differs(got, [REVISED[name] ?? cv.toLowerCase()]);
        },
      }));
    },
  );
  return { name: 'ValiMail ARC, validation', cases, excepted: EXCEPTED };
}

const toZone = (records: Readonly<Record<string, string>>): Zone =>
  Object.fromEntries(
    Object.entries(records).map(([name, text]) => [name.toLowerCase(), { TXT: [text] }]),
  );
