import { deliveryTest } from '../../../machines/delivery-test.ts';
import { isEnd, type TestEvent } from '../../domain/events.ts';
import { evolve, fold, type TestState } from '../../projection/fold.ts';

/** Of a test of which the log has nothing yet. */
export const initial = fold([]);

/** Of a test that has ended; nobody asks for more of it. */
export const ended: TestState = deliveryTest.resolveState({
  value: 'expired',
  context: initial.context,
});

/** As `evolve`, in a log that keeps nothing of an erased test but its end. */
export const evolveErased = (state: TestState, event: TestEvent): TestState =>
  state.value === 'unknown' && isEnd(event.type) ? ended : evolve(state, event);
