/**
 * Constants of the service that no setting changes: the durations of the specification, and limits that
 * nobody has to tune. Tests and the demo replace some of them.
 */
export const FIXED = {
  durations: {
    /** Time from the creation of a test until it no longer accepts email. */
    receiveWindowSeconds: 3600,
    /** Time from the refusal of an email until the refusal is final. */
    refusalTimeoutSeconds: 900,
    /** Time after which an analysis that was lost is given up. */
    analysisTimeoutSeconds: 60,
    /**
     * Time from the arrival of the email until the report is deleted, and from the creation of a test until
     * it is deleted unused.
     */
    retentionSeconds: 86_400,
  },
  /** Maximum number of requests per client per minute; 0 means no limit. */
  rateLimits: { wrongToken: 10, unknownId: 60, default: 600 },
  /**
   * Maximum number of new tests per minute from all clients together, which applies only if there is a limit
   * per client; 0 means no limit.
   */
  createPerMinute: 1000,
  /** This replica's name in events and logs. Null means the host name and process id. */
  replicaId: null as string | null,
  /**
   * Maximum number of DNS queries per minute for the emails of one client; 0 means no limit. An email needs
   * 30 to 60 queries.
   */
  dnsQueriesPerClient: 6000,
  /** Maximum number of DNS queries for all emails of one test; 0 means no limit. */
  dnsQueriesPerTest: 3000,
  /** URL at which nats-server serves /varz. Null means port 8222 of the first server. */
  natsMonitoringUrl: null as string | null,
  /**
   * A shell command that sends an email to a test, which the test's page shows. {address} is replaced with
   * the test's address, and {link} with the link that opens its report. Null if no such command is known.
   */
  sendCommand: null as string | null,
};

export type Fixed = typeof FIXED;
