import { registerHooks } from 'node:module';

/** Preloaded to say on stderr that OpenTelemetry is loaded. prom-client loads its interfaces anyway. */
registerHooks({
  resolve(specifier, context, next) {
    if (/^@opentelemetry\/(?!api$)/.test(specifier)) process.stderr.write(`loads ${specifier}\n`);
    return next(specifier, context);
  },
});
