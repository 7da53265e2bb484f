import { codeOf, codes, isForbidden } from './outage.ts';

/** Why a stream could not be made or changed, and what to do; `undefined`: nothing more is known of it. */
export function describeFault(error: unknown, stream: string): string | undefined {
  if (isForbidden(error))
    return `The stream ${stream} is missing or has other limits, and this NATS user may not change it. Run \`npm run streams\` as the operator's user, then start again.`;
  if (codeOf(error) === codes.notCreated)
    return `nats-server could not make the stream ${stream}. Its log says why. If its store is encrypted, start it with the key that the store was written with (NATS_JS_KEY; NATS_STORE_KEY_FILE for the service's own).`;
  return undefined;
}
