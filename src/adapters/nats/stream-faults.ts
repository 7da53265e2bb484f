import { codeOf, codes, isForbidden } from './outage.ts';

/** Why a stream could not be made or changed, and what to do; `undefined`: nothing more is known of it. */
export function describeFault(error: unknown, stream: string): string | undefined {
  if (error instanceof Error && error.cause) {
    const fault = describeFault(error.cause, stream);
    if (fault !== undefined) return fault;
  }
  if (isForbidden(error))
    return `The stream ${stream} is missing or has other limits, and this NATS user may not change it. Run \`npm run operate -- streams\` as the operator's user, then start again.`;
  const code = codeOf(error);
  if (code === codes.notCreated)
    return `nats-server could not make the stream ${stream}. Its log says why. If its store is encrypted, start it with the key that the store was written with (NATS_JS_KEY; NATS_STORE_KEY_FILE for the service's own).`;
  if (code !== undefined && codes.noRoom.includes(code))
    return `nats-server finds no room for the stream ${stream}: ${(error as Error).message}. Raise its max_file_store, free disk space, or lower TESTS_MAX_BYTES, REPORTS_MAX_BYTES or PAYMENTS_MAX_BYTES; in a cluster, see that all nodes run.`;
  return undefined;
}
