import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { quickObserve } from '../../src/telemetry/quick-observe.ts';

const BOUNDS = [0.01, 0.1, 1];

const newHistogram = () => {
  const registry = new Registry();
  const options = { name: 'dns_seconds', help: 'h', buckets: BOUNDS, registers: [registry] };
  return { registry, histogram: new Histogram({ ...options, labelNames: ['outcome'] as const }) };
};

test('it shows the same as what the library observes', async () => {
  const outcome = fc.constantFrom('found', 'nodata', 'TIMEOUT');
  const times = fc.array(
    fc.oneof(
      fc.double({ min: 0, max: 2000, noNaN: true }),
      fc.constantFrom(0, 10, 100, 1000, 5000),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(outcome, times)), async (observed) => {
      const [library, quick] = [newHistogram(), newHistogram()];
      const observe = quickObserve(quick.histogram, 'outcome', BOUNDS);
      for (const [value, milliseconds] of observed.filter(([, { length }]) => length > 0)) {
        for (const time of milliseconds) library.histogram.observe({ outcome: value }, time / 1000);
        observe(value, milliseconds);
      }
      expect(await quick.registry.metrics()).toBe(await library.registry.metrics());
    }),
  );
});
