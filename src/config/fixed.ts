/**
 * What no setting changes: the durations of the specification, and limits that nobody has to tune.
 * A composition may hand in others: tests do, and the demo.
 */
export const FIXED = {
  durations: {
    /** From creation until no mail is taken. */
    receiveWindowSeconds: 3600,
    /** From a refusal until it is final. */
    refusalTimeoutSeconds: 900,
    /** After which a lost analysis is given up. */
    analysisTimeoutSeconds: 60,
    /** From the mail until the report is deleted, and from creation until an unused test is. */
    retentionSeconds: 86_400,
  },
  /** Requests per client and minute; 0: no limit. */
  rateLimits: { wrongToken: 10, unknownId: 60, default: 600 },
  /** New tests per minute of all clients together, where one client has a limit; 0: no limit. */
  createPerMinute: 1000,
  /** This replica's name in events and logs; null: host name and process id. */
  replicaId: null as string | null,
  /** Queries that the mails of one client may cause in a minute; 0: no limit. A mail needs 30 to 60. */
  dnsQueriesPerClient: 6000,
  /** Queries that the mails of one test may cause in all; 0: no limit. */
  dnsQueriesPerTest: 3000,
  /** Where /varz of nats-server is; null: port 8222 of the first server. */
  natsMonitoringUrl: null as string | null,
  /**
   * Sends a mail to a test: shown on its page, with its address in place of {address}, and its link, which opens its
   * report, of {link}; null: none is known.
   */
  sendCommand: null as string | null,
};

export type Fixed = typeof FIXED;
