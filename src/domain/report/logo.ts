import type { Static } from '@sinclair/typebox';
import {
  count,
  dateTime,
  domain,
  flag,
  maybe,
  nullable,
  object,
  optional,
  published,
  text,
  texts,
  words,
} from './shapes.ts';

const Logo = object('The logo.', {
  checked: flag('Whether it was fetched.'),
  size_bytes: nullable(count('Size in bytes. The limit is 32 KiB.', 2048)),
  base_profile: nullable(text('SVG profile.', 'tiny-ps')),
  version: nullable(text('SVG version.', '1.2')),
  square: nullable(flag('Whether it is square.')),
  title_present: nullable(flag('Whether it has a title.')),
  errors: texts('What is wrong with it.', ['<script> is not allowed']),
});

const MarkCertificate = object('The mark certificate.', {
  checked: flag('Whether it was fetched.'),
  type: nullable(words(['vmc', 'cmc'], 'The kind of certificate.')),
  issuer: nullable(text('Who issued it.', 'Mark CA')),
  subject_names: texts('The domains that it is valid for.', ['sender.example']),
  not_after: nullable(dateTime('When it expires.', '2027-11-20T00:00:00.000Z')),
  valid: nullable(flag('Whether it is valid.')),
  logo_matches: nullable(flag('Whether it contains this logo.')),
});

/** Schema of a report's facts about BIMI: the brand's logo record, the logo and its mark certificate. */
export const Bimi = object('BIMI: the logo record and what it points to.', {
  result: words(
    ['pass', 'none', 'declined', 'fail', 'skipped', 'temperror'],
    'The BIMI result.',
    'none',
  ),
  selector: optional(text('The selector.', 'default')),
  domain: maybe(domain('The domain that publishes the record.')),
  record: maybe(published('The BIMI record.', 'v=BIMI1; l=https://sender.example/logo.svg')),
  logo_url: maybe(
    text('The address of the logo, as published.', 'https://sender.example/logo.svg'),
  ),
  logo: maybe(Logo),
  certificate: maybe(MarkCertificate),
  dmarc_ready: optional(flag('Whether the DMARC policy is strict enough.')),
});
export type Bimi = Static<typeof Bimi>;
