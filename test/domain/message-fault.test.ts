/** Tests how messages of the log that are no valid events are classified. */

import { expect, test } from 'vitest';
import { messageFaultOf } from '../../src/domain/message-fault.ts';
import { anEvent, aPaymentEvent } from '../support/log/events.ts';

const arrived = anEvent('MailArrived', 60);

test.each<[string, unknown, string]>([
  ['bytes that are no JSON', undefined, 'unreadable'],
  ['JSON that is no event', {}, 'wrong'],
  ['a text', 'TestCreated', 'wrong'],
  ['nothing', null, 'wrong'],
  ['data that do not fit', { ...arrived, data: { attempt: 'one' } }, 'wrong'],
  ['no data', { ...arrived, data: undefined }, 'wrong'],
  ['an instant that is none', { ...arrived, at: 'noon' }, 'wrong'],
  ['a version before the first', { ...arrived, v: 0 }, 'wrong'],
  ['a fraction of a version', { ...arrived, v: 1.5 }, 'wrong'],
  ['an event of another log', aPaymentEvent('PaymentSettled'), 'wrong'],
  ['a type that is no name', { ...arrived, type: 'x' }, 'wrong'],
  [
    'a restored history that holds none',
    { ...arrived, type: 'HistoryRestored', data: {} },
    'wrong',
  ],
  ['a version after this one', { ...arrived, v: 2, data: { attempt: 'one' } }, 'newer'],
  ['a type that is not known here', { ...arrived, type: 'MailQuarantined' }, 'newer'],
])('%s', (_, stored, fault) => {
  expect(messageFaultOf(stored)).toBe(fault);
});
