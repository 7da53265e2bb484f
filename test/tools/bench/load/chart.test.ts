import { expect, test } from 'vitest';
import { niceMax, toChart } from './chart.ts';

test.each([
  [0.3, 0.5],
  [4, 5],
  [51, 100],
  [100, 100],
  [101, 250],
])('an axis for values up to %d ends at %d', (value, end) => {
  expect(niceMax(value)).toBeCloseTo(end);
});

test('a point lies where its values are of the axes, in every panel', () => {
  const series = [{ name: 'p50', colour: '#000', points: [{ x: 50, y: 100 }] }];
  const svg = toChart([
    { title: 'One', xTitle: 'load', series },
    { title: 'Two', xTitle: 'load', series },
  ]);
  // The whole of both axes.
  expect(svg.match(/<circle cx="424" cy="40"/g)).toHaveLength(2);
  expect(svg).toContain('translate(440 0)');
  expect(svg).not.toContain('NaN');
});
