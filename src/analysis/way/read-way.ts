import { isUnder } from '../names/domain-names.ts';
import { fieldsNamed, type HeaderBlock } from '../syntax/header-block.ts';
import type { WayFacts } from './facts.ts';
import { findFalseMailer } from './mailer-marks.ts';
import { readHop } from './received.ts';

/** Received fields that are read: a mail with more is refused for their number alone. */
const MAX_HOPS = 50;

/** The way of a mail to `mailDomain`, the domain of test addresses. */
export function readWay(block: HeaderBlock, mailDomain: string): WayFacts {
  const fields = fieldsNamed(block, 'received');
  const hops = fields.slice(0, MAX_HOPS).map(({ value }) => readHop(value));
  return {
    hops: hops.reverse(),
    total: fields.length,
    namesUs: hops.some(({ by }) => by !== null && isUnder(by, mailDomain)),
    falseMailer: findFalseMailer(block),
  };
}
