/** Reports on stderr that a process loads OpenTelemetry. */

import { registerHooks } from 'node:module';

/** prom-client always loads the interfaces of OpenTelemetry, so they do not count. */
registerHooks({
  resolve(specifier, context, next) {
    if (/^@opentelemetry\/(?!api$)/.test(specifier)) process.stderr.write(`loads ${specifier}\n`);
    return next(specifier, context);
  },
});
