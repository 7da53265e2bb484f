/**
 * The error for a spam filter's answer that cannot be used. `reason` is the filter's reason code in the
 * report.
 */
export class FilterFault extends Error {
  override readonly name = 'FilterFault';
  readonly reason: 'broke_off' | 'unreadable_answer';

  constructor(reason: FilterFault['reason']) {
    super(`the filter's response cannot be used: ${reason}`);
    this.reason = reason;
  }
}
