import type { SMTPServer } from 'smtp-server';

/** One connection, as the library has it. */
export type SmtpConnection = SMTPServer['connections'] extends Set<infer One> ? One : never;

/** What reads its commands and its data. */
export type Parser = ReturnType<SmtpConnection['_createParser']>;
