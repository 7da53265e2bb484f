import { wordSet } from '../syntax/split-words.ts';

/** People have few names; companies may have many words. */
const MAX_NAME_WORDS = 4;

/** What offices are called: `billing@` of "Stackline Billing" is nobody's name. */
const ROLES = wordSet(
  'account accounts admin alert alerts billing booking bookings bot care cart club contact digest ' +
    'editor events hello help home hotel info invoice invoices letter letters mail news newsletter ' +
    'notice notices notification notifications office offers order orders post press receipts ' +
    'reservations sales secure security service services shop store support team tickets update updates ' +
    'bestellung buchung kundenservice rechnung service commande contact facture pedidos facturas ordini',
);

/** Whether a local part is made of the words of a person's name: `nora.hale` of Nora Hale. */
export function isNamedAfter(local: string, words: readonly string[]): boolean {
  const parts = local.toLowerCase().split(/[._+-]/);
  const names = words.filter((word) => word.length > 2 && !ROLES.has(word));
  return (
    // One word is as often the name of a program or a firm.
    words.length > 1 &&
    words.length <= MAX_NAME_WORDS &&
    parts.some((part) => !ROLES.has(part) && names.some((name) => part.includes(name)))
  );
}
