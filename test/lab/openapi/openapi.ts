/**
 * Generates the OpenAPI document, and any other description that the service serves, such as a JSON
 * schema, without a running service.
 */

import { sampleReport } from '../../../src/analysis/sample.ts';
import { buildApp } from '../../../src/api/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';

/** Represents the address of a service that is not running in the document. */
const EXAMPLE_URL = 'https://mailtest.example';

/** Settings without which the others cannot be read. Documents show them only as examples. */
const EXAMPLE_SETTINGS = {
  X402_PAY_TO: `0x${'1'.repeat(40)}`,
  X402_RPC_URL: EXAMPLE_URL,
  X402_FACILITATOR_URL: EXAMPLE_URL,
};

/** Returns the OpenAPI document with the default settings, as `/openapi.json` serves it. */
export const describeApi = (): Promise<object> => describedAt('/openapi.json');

/**
 * Returns the description that a service with the default settings serves at a path, such as
 * `/schemas/report-2.json`.
 */
export async function describedAt(path: string): Promise<object> {
  const { http, payment, durations, mailDomain, replicaId } = readConfig(EXAMPLE_SETTINGS, {
    replicaId: 'openapi',
  });
  const unused = async (): Promise<never> => {
    throw new Error('Nothing but the document is asked for here.');
  };
  const app = await buildApp({
    settings: {
      ...http,
      baseUrl: () => EXAMPLE_URL,
      mailDomain,
      replicaId,
      contactEmail: null,
      sendCommand: null,
      durations,
      payment,
    },
    tests: { append: unused },
    rows: {
      peek: () => undefined,
      has: () => false,
      onRow: () => {},
      isBehind: () => false,
      find: unused,
      refresh: unused,
    },
    onChange: () => {},
    settler: { read: unused, isSettling: unused },
    sampleReport,
    creation: { admit: () => null, room: () => 1 },
    readiness: () => ({}),
    clock: Date.now,
    random: (bytes) => new Uint8Array(bytes),
    logger: createLogger('silent'),
  });
  const answer = await app.inject(path);
  await app.close();
  return answer.json();
}

/** Prints the OpenAPI document. */
export async function printApi(): Promise<number> {
  console.log(JSON.stringify(await describeApi(), null, 2));
  return 0;
}
