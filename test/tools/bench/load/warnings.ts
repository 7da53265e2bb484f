export type Counts = Readonly<Record<string, number>>;

/** Counts the lines of a service's log that warn, by their message: why something failed. */
export function countWarnings() {
  let counts: Record<string, number> = {};
  return {
    read(line: string): void {
      const message = warningOf(line);
      if (message !== undefined) counts[message] = (counts[message] ?? 0) + 1;
    },
    /** Those since the last time. */
    take(): Counts {
      const taken = counts;
      counts = {};
      return taken;
    },
  };
}

/** A line that is no JSON comes from below the log, as a crash does. */
function warningOf(line: string): string | undefined {
  try {
    const { level, msg, err } = JSON.parse(line);
    if (level === 'info' || level === 'debug' || level === 'trace') return undefined;
    return err?.name ? `${msg} (${err.name}${err.code ? ` ${err.code}` : ''})` : `${msg}`;
  } catch {
    return line.slice(0, 200);
  }
}
