import { check } from '../check.ts';

export const replyTo = check({
  id: 'reply_to',
  family: 'identity',
  title: 'Reply-To',
  header: 'Reply-To',
  source: 'SpamAssassin FREEMAIL_FORGED_REPLYTO; rspamd REPLYTO_*',
  about: {
    what: 'Reply-To says where answers go, if not to From.',
    why: 'Answers that go to another organization are a pattern of fraud; answers that go nowhere annoy.',
    how: ['Set Reply-To to an address at your domain that is read, or leave it out.'],
    bad: 'From: shop@example.com\nReply-To: noreply@other.example',
    good: 'From: shop@example.com\nReply-To: help@example.com',
  },
  subject: ({ headers }) => headers,
  states: ({ warn, suggest, pass }) => ({
    doubtful: warn(3).when(
      'unparsable, or freemail Reply-To with a non-freemail From',
      ({ replyTo: { state, freemail }, from }) =>
        state === 'unparsable' || (state === 'ok' && freemail && !from.freemail),
    ),
    elsewhere: suggest.when(
      'other org domain, or From is no-reply and Reply-To is absent',
      ({ replyTo: { state, sameOrganization }, from }) =>
        state === 'absent' ? from.noReply : !sameOrganization,
    ),
    fine: pass('ok'),
  }),
  detail: ({ replyTo: { state, domain }, from }) => {
    if (state === 'absent')
      return `No Reply-To${from.noReply ? ', and From is a no-reply address' : ''}.`;
    return state === 'ok' ? `Replies go to ${domain ?? 'its domain'}.` : 'It cannot be read.';
  },
  evidence: ({ replyTo: { state, domain }, from }) => ({
    state,
    domain,
    no_reply: from.noReply,
  }),
  fixes: {
    fix: {
      why: 'Answers to this mail go to another organization, {reply_domain}.',
      do: 'Set Reply-To to an address at {from_org_domain} that is read.',
    },
    nobody: { why: 'Answers to this mail go to an address that says nobody reads it.' },
    freemail: {
      why: 'Answers to this mail go to a free mail address, {reply_domain}, as in much fraud.',
    },
    unparsable: {
      why: 'The Reply-To header cannot be read, so answers are lost.',
      do: 'Write one valid address, such as one at {from_org_domain}.',
    },
  },
  cases: ({ replyTo: { state, freemail } }) => {
    if (state !== 'ok') return [state === 'absent' ? 'nobody' : 'unparsable'];
    return freemail ? ['freemail'] : [];
  },
  values: ({ replyTo }) => ({ reply_domain: replyTo.domain ?? 'another domain' }),
});
