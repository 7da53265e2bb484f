/** Tests that the score reflects what receivers do with an email. */

import { describe, expect, test } from 'vitest';
import { findCheck } from '../../src/analysis/checks.ts';
import { scoreOf } from '../../src/analysis/score.ts';
import {
  ACTION_SOURCES,
  EFFECT_LEVELS,
  RECEIVER_ACTIONS,
  RECEIVERS,
} from '../../src/domain/receiver-actions.ts';

/** Returns the score of an email whose only fault is this state. */
function scoreAlone(named: string): number | null {
  const [id = '', name] = named.split('/');
  const check = findCheck(id);
  const state = check?.states.find((one) => one.name === name);
  return check && state ? scoreOf([{ check, state }]).score : null;
}

const states = RECEIVER_ACTIONS.flatMap(({ id, level, states }) =>
  states.map((state) => [state, id, level] as const),
);

describe('setups that receivers treat alike cost the same', () => {
  test.each(states)('%s of %s scores as its level says', (state, _, level) => {
    const score = scoreAlone(state);
    const [lowest = 0, highest = 0] = EFFECT_LEVELS[level]?.scores ?? [];
    expect(score, 'no such state').not.toBeNull();
    expect(score).toBeGreaterThanOrEqual(lowest);
    expect(score).toBeLessThanOrEqual(highest);
  });

  test('no level overlaps with the next', () => {
    const bounds = Object.values(EFFECT_LEVELS).flatMap(({ scores }) => scores);
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
    expect(Object.keys(EFFECT_LEVELS)).toEqual([
      ...new Set(RECEIVER_ACTIONS.map(({ level }) => level)),
    ]);
  });

  test('each row names what at least one receiver says, and each receiver’s document', () => {
    for (const { id, says } of RECEIVER_ACTIONS) {
      expect(Object.keys(says).length, id).toBeGreaterThan(0);
      for (const one of Object.keys(says)) expect(RECEIVERS, id).toContain(one);
    }
    for (const one of RECEIVERS) expect(ACTION_SOURCES[one]).toMatch(/^https:\/\//);
  });
});
