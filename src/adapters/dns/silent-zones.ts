/** Remembers DNS zones whose servers do not answer, so that emails do not wait long for them. */

import { setNewest } from '../../domain/set-newest.ts';

/** Number of consecutive slow failures after which a zone counts as silent. */
const MAX_FAILURES = 16;

/** How long a zone that does not answer counts as silent, in milliseconds (RFC 9520 §3.2: 1 s to 5 min). */
const SILENT_MS = 10_000;

/** Minimum duration of a failure that counts, in milliseconds: a faster one has delayed nobody. */
const SLOW_MS = 1000;

/** Number of zones that are remembered. The oldest is forgotten first. */
const MAX_ZONES = 10_000;

interface Zone {
  failures: number;
  silentUntil: number;
}

/**
 * Remembers zones whose servers do not answer while other servers do (RFC 9520). Otherwise, a sender could
 * choose a silent domain, whose queries would hold every slot until the time limit.
 */
export function createSilentZones(zoneOf: (name: string) => string) {
  const zones = new Map<string, Zone>();
  let lastAnswerAt = Number.NEGATIVE_INFINITY;

  return {
    isSilent: (name: string, now: number): boolean => {
      const zone = zones.size === 0 ? undefined : zones.get(zoneOf(name));
      return zone !== undefined && now < zone.silentUntil;
    },
    /** @param now and `since`: milliseconds of a clock that never goes back */
    note(name: string, answered: boolean, since: number, now: number): void {
      if (answered) {
        lastAnswerAt = now;
        if (zones.size > 0) zones.delete(zoneOf(name));
        return;
      }
      // Nothing else was answered in the meantime either, so our own resolver may be the cause.
      if (now - since < SLOW_MS || lastAnswerAt < since) return;
      const key = zoneOf(name);
      const zone = zones.get(key) ?? { failures: 0, silentUntil: 0 };
      zone.failures += 1;
      if (zone.failures >= MAX_FAILURES) {
        zone.failures = 0;
        zone.silentUntil = now + SILENT_MS;
      }
      setNewest(zones, key, zone, MAX_ZONES);
    },
  };
}
