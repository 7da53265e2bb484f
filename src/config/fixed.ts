/**
 * Values that no setting changes: the durations of the specification, and limits that nobody has to tune.
 * Tests and the demo pass in others.
 */
export const FIXED = {
  durations: {
    /** Time from creation until the test no longer accepts email. */
    receiveWindowSeconds: 3600,
    /** Time from a refusal until it is final. */
    refusalTimeoutSeconds: 900,
    /** Time after which a lost analysis is given up. */
    analysisTimeoutSeconds: 60,
    /**
     * Time from the arrival of the email until the report is deleted, and from creation until an unused test
     * is deleted.
     */
    retentionSeconds: 86_400,
  },
  /** Requests per client and minute; 0 means no limit. */
  rateLimits: { wrongToken: 10, unknownId: 60, default: 600 },
  /** New tests per minute from all clients together, if there is a limit per client; 0 means no limit. */
  createPerMinute: 1000,
  /** This replica's name in events and logs. Null: host name and process id. */
  replicaId: null as string | null,
  /**
   * Queries per minute that the emails of one client may cause; 0 means no limit. An email needs 30 to 60.
   */
  dnsQueriesPerClient: 6000,
  /** Queries that the emails of one test may cause in all; 0 means no limit. */
  dnsQueriesPerTest: 3000,
  /** Where nats-server serves /varz. Null: port 8222 of the first server. */
  natsMonitoringUrl: null as string | null,
  /**
   * A command that sends an email to a test, shown on its page. {address} is replaced with the test's
   * address, and {link} with the link that opens its report. Null if no command is known.
   */
  sendCommand: null as string | null,
};

export type Fixed = typeof FIXED;
