import type { SMTPServerOptions } from 'smtp-server';
import { classOf, type Metrics, type SmtpCommand } from '../../telemetry/metrics.ts';
import type { createHandlers } from './handlers.ts';

export type SmtpMetrics = Pick<Metrics, 'smtpReplies' | 'smtpConnections' | 'mailSeconds'>;

type Handlers = ReturnType<typeof createHandlers>;

type Done = NonNullable<Parameters<NonNullable<SMTPServerOptions['onData']>>[2]>;

/** As the library reads it. */
const codeOf = (error: Error & { readonly responseCode?: number }) => error.responseCode ?? 550;

/** The same handlers; each reply is counted by its command, and a mail's is timed from DATA on. */
export function countReplies(handlers: Handlers, metrics: SmtpMetrics): Handlers {
  const counted =
    (command: SmtpCommand, done: Done, observe?: (code: string) => void): Done =>
    (error, text) => {
      const code = classOf(error ? codeOf(error) : 250);
      metrics.smtpReplies.inc({ command, class: code });
      observe?.(code);
      done(error, text);
    };
  return {
    ...handlers,
    onConnect: (session, done) => handlers.onConnect(session, counted('connect', done)),
    onMailFrom: (address, session, done) =>
      handlers.onMailFrom(address, session, counted('mail', done)),
    onRcptTo: (address, session, done) =>
      handlers.onRcptTo(address, session, counted('rcpt', done)),
    onData(content, session, done) {
      const end = metrics.mailSeconds.startTimer();
      handlers.onData(
        content,
        session,
        counted('data', done, (code) => end({ class: code })),
      );
    },
  };
}
