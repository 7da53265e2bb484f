/** Notices about something that happened to one reader, each with a link to get fewer of them. */

import type { WrittenMail } from '../mail/score-mail.ts';

interface Notice extends WrittenMail {
  readonly about: string;
}

const OUT = '\n\nManage your notifications or unsubscribe: https://mail.nordlicht.com/u/1';
const AUS = '\n\nBenachrichtigungen verwalten oder abmelden: https://mail.nordlicht.com/u/1';

const notice = (about: string, subject: string, body: string, out = OUT): Notice => ({
  about,
  from: 'Nordlicht <hello@nordlicht.com>',
  subject,
  body: `${body}${out}`,
});

const page = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Notice</title></head><body><div style="display:none" class="preheader">What it is about</div><p>${body}</p><p><a href="https://mail.nordlicht.com/u/1">Unsubscribe</a></p></body></html>`;

/** Notices that tell one reader about something that happened, each with a link to get fewer of them. */
export const notices: readonly Notice[] = [
  notice(
    'an outage',
    'Outage: API unavailable',
    'We are investigating elevated error rates since 09:12 UTC. Next update in 30 minutes.',
  ),
  notice(
    'an outage that ended',
    'Resolved: API unavailable',
    'The incident is resolved. All systems are operational again.',
  ),
  notice(
    'planned maintenance',
    'Scheduled maintenance on Sunday',
    'Our servers will be unavailable between 02:00 and 04:00 UTC.',
  ),
  notice(
    'eine Störung',
    'Störung im Netz',
    'Wir arbeiten an einer Störung in Ihrer Region. Der Anschluss ist zeitweise nicht verfügbar.',
    AUS,
  ),
  notice(
    'eine Wartung',
    'Wartungsarbeiten am Sonntag',
    'Unsere Server sind am Sonntag von 2 bis 4 Uhr nicht erreichbar.',
    AUS,
  ),
  notice(
    'laboratory results',
    'Your laboratory results are available',
    'New results from your visit on Monday are in the patient portal.',
  ),
  notice(
    'Laborwerte',
    'Ihre Laborergebnisse liegen vor',
    'Neue Befunde liegen für Sie im Patientenportal bereit.',
    AUS,
  ),
  notice(
    'an end of a subscription to mails',
    'You have been unsubscribed',
    'You will receive no more newsletters from us. Subscribe again at any time.',
  ),
  notice(
    'eine Abmeldung',
    'Sie wurden abgemeldet',
    'Sie erhalten unseren Newsletter nicht mehr.',
    AUS,
  ),
  notice(
    'a sign-in',
    'New sign-in to Nordlicht',
    'We noticed a new sign-in from Chrome on Linux. Was this you?',
  ),
  notice(
    'a changed e-mail address',
    'Your email address was changed',
    'The email address of your profile was changed today.',
  ),
  notice('a comment', 'Ben commented on your document', 'Ben left a comment in "Plan for May".'),
  notice(
    'a task',
    'You were assigned a task',
    'Nora assigned "Check the figures" to you. It is due on Friday.',
  ),
  notice(
    'a failed build',
    'Build failed: main',
    'The pipeline on main failed after 4 minutes in step test.',
  ),
  notice(
    'a certificate that ends',
    'Your certificate expires in 14 days',
    'The certificate of www.nordlicht.com expires on 1 June.',
  ),
  notice(
    'a data export',
    'Your export is ready',
    'The export that you asked for can be downloaded for 7 days.',
  ),
  notice(
    'a changed policy',
    'Changes to our privacy policy',
    'Our privacy policy changes on 1 June. What is new stands on our website.',
  ),
  notice(
    'a school’s notice',
    'School closed on Monday',
    'Due to the storm the school stays closed on Monday. Classes begin again on Tuesday.',
  ),
  notice(
    'eine Mitteilung der Schule',
    'Unterrichtsausfall am Montag',
    'Wegen des Sturms fällt der Unterricht am Montag aus.',
    AUS,
  ),
  notice('a library', 'Your loans are due', 'Two books that you borrowed are due on Friday.'),
  notice('a train', 'Your train is delayed', 'Train 512 is expected 25 minutes late at Leeds.'),
  notice(
    'a message in a portal',
    'You have a new message',
    'Dr. Hale sent you a message. Read it in the portal.',
  ),
  notice('a meter', 'Send us your meter reading', 'Please send your meter reading by Friday.'),
  notice(
    'a recall',
    'Important safety notice',
    'We are recalling the kettle K12 that you own. Stop using it and ask for a replacement.',
  ),
  notice(
    'a full disk',
    'Storage almost full',
    'Your storage is 92% full. Delete files to make room.',
  ),
  notice(
    'a report by e-mail',
    'Your weekly activity report',
    'You walked 42 km last week, 4 km more than the week before.',
  ),
  {
    ...notice('an HTML notice with a preview text', 'Water off on Tuesday', ''),
    body: page('The water is off in your street on Tuesday from 9 to 11.'),
  },
  {
    ...notice('an HTML notice of a changed password', 'Your password was changed', ''),
    body: page('Your password was changed at 10:12.'),
  },
  {
    about: 'a link that a friend quotes',
    from: 'Ben Hale <ben.hale@hale-family.com>',
    subject: 'that newsletter',
    body: 'Hi Nora,\n\nthis is what I meant:\n\n> Unsubscribe: https://mail.nordlicht.com/u/1\n\nI clicked it and nothing happened. Do you know why?\n\nBen',
  },
  {
    about: 'a friend who speaks of unsubscribing',
    from: 'Ben Hale <ben@hale-family.com>',
    subject: 'Unsubscribe?',
    body: 'How did you unsubscribe from their mails? I found no link at https://www.nordlicht.com. Ben',
  },
  {
    about: 'a colleague who forwards an offer',
    from: 'Ben Hale <ben.hale@hale-family.com>',
    subject: 'Fwd: 20% off boots',
    body: 'Is this for you?\n\n> Boots: 20% off until Friday. Shop now: https://www.nordlicht.com/boots\n> Unsubscribe: https://mail.nordlicht.com/u/1',
  },
];
