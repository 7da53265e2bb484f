/** Declares the schema of the steps by which a finding can be fixed. */

import type { Static } from '@sinclair/typebox';
import { count, nullable, object, published, text, texts, words } from './shapes.ts';

/** The people who can carry out an action. */
const OWNERS = ['domain_owner', 'sender', 'platform', 'address_owner', 'forwarder'] as const;

const KINDS = ['dns', 'header', 'content', 'server', 'ask'] as const;

const OPERATIONS = ['publish', 'replace', 'delete', 'add', 'set', 'remove', 'do'] as const;

/** One step of a fix. The text of the fix is made from its steps. */
export const Action = object(
  'One of the steps, in order.',
  {
    owner: words(
      OWNERS,
      'Who can do it: the owner of the domain, whoever runs the sending program, the platform, the owner of the IP address, or the forwarder or list on the route.',
      'domain_owner',
    ),
    kind: words(
      KINDS,
      'Where: DNS, a header, the content, a setting of the mail or web server, or a question to decide first.',
      'dns',
    ),
    operation: words(
      OPERATIONS,
      '`publish`: a new record. `replace`: `value` instead of `replaces`. `delete`: `replaces`. `add`, `set`, `remove`: the header or setting `name`. `do`: what `value` says.',
      'replace',
    ),
    name: nullable(text('The DNS name, header or setting.', 'sender.example')),
    type: nullable(text('The type of the DNS record.', 'TXT')),
    value: nullable(published('The record, the value, or what to do.', 'v=spf1 mx ~all')),
    replaces: texts('Records to remove.', ['v=spf1 +all'], { maxLength: 4096 }),
    points: count('Points gained by this fix alone.', 4),
  },
  'Action',
);
export type Action = Static<typeof Action>;
