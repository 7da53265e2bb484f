import type { Static } from '@sinclair/typebox';
import { count, nullable, object, published, text, texts, words } from './shapes.ts';

/** Who can do it. */
const OWNERS = ['domain_owner', 'sender', 'platform', 'address_owner', 'forwarder'] as const;

const KINDS = ['dns', 'header', 'content', 'server', 'ask'] as const;

const OPERATIONS = ['publish', 'replace', 'delete', 'add', 'set', 'remove', 'do'] as const;

/** One step of a fix. The text of the fix is rendered from its steps. */
export const Action = object('One step of a fix; steps are done in their order.', {
  owner: words(
    OWNERS,
    'Who can do it: the owner of the domain, who runs the sending mail program, the sending platform, the owner of the IP address, or the forwarder or list that the mail came through.',
    'domain_owner',
  ),
  kind: words(
    KINDS,
    'Where: in DNS, in a header or the content of the mail, in a setting of the sending server or of a web server, or a question to be asked and decided first.',
    'dns',
  ),
  operation: words(
    OPERATIONS,
    '`publish`: a record beside what is there. `replace`: `value` in place of `replaces`. `delete`: `replaces`. `add`, `set`, `remove`: a header or setting `name`. `do`: what `value` says.',
    'replace',
  ),
  name: nullable(
    text('The DNS name, the header, or the setting, such as `helo` or `dkim.h`.', 'sender.example'),
  ),
  type: nullable(text('The type of the DNS record.', 'TXT')),
  value: nullable(
    published('The record, the header’s or setting’s value, or what to do.', 'v=spf1 mx ~all'),
  ),
  replaces: texts('The records that are there now and go.', ['v=spf1 +all'], { maxLength: 4096 }),
  points: count('Points that the finding’s fix wins by itself.', 4),
});
export type Action = Static<typeof Action>;
