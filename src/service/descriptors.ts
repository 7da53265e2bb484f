/** Divides the number of files and sockets that the process may open between SMTP, HTTP and analyses. */

/** Limit of open files that is assumed if the system does not report one. */
const USUAL = 1024;

/** Maximum number of HTTP connections. More would take up more memory than they are worth. */
const MAX_HTTP = 8192;
const MAX_ANALYSES = 1024;

/** Returns the number of files and sockets that this process may have open. */
function openFilesLimit(): number {
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | 'unlimited' } };
  };
  const soft = userLimits?.open_files?.soft ?? USUAL;
  return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : soft;
}

/**
 * Divides the file descriptors so that no listener uses up those of another, and some are left for lookups
 * and the log.
 *
 * @param maxClients number of SMTP connections that the settings allow
 */
export function shareDescriptors(maxClients: number, limit = openFilesLimit()) {
  return {
    maxConnections: Math.min(MAX_HTTP, Math.ceil((limit * 3) / 8)),
    maxClients: Math.min(maxClients, Math.ceil(limit / 4)),
    maxAnalyses: Math.min(MAX_ANALYSES, Math.ceil(limit / 8)),
  };
}
