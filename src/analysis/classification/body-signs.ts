import { PLATFORM_WEIGHT } from './header-signs.ts';
import type { ClassSign } from './sign.ts';
import type { Topic, TopicCounts } from './topics.ts';

/** What is known of the body besides its words. */
export interface BodyShape {
  readonly unsubscribeFound: boolean;
  readonly preheader: boolean;
  readonly images: number;
  /** Those that unsubscribe aside. */
  readonly links: number;
  readonly trackingPixels: number;
  readonly hasHtml: boolean;
  readonly words: number;
  /** Built of nested tables or for several widths of the screen, as mail programs build nothing. */
  readonly isTemplate: boolean;
  /** Links carry the tags by which campaigns are counted. */
  readonly hasCampaignTags: boolean;
  /** Links lead through a platform that sends campaigns. */
  readonly hasCampaignHost: boolean;
  /** Links to profiles in social networks, by network. */
  readonly networks: number;
  /** A link leads to the sender's own pages. */
  readonly linksToSender: boolean;
}

/** What a body offers because receivers and checks ask for it. */
export const withoutAskedFor = (shape: BodyShape): BodyShape => ({
  ...shape,
  unsubscribeFound: false,
  preheader: false,
});

/** A topic of the body counts no more than this, however often it comes up: offers stand in receipts too. */
const MOST_OF_BODY: Readonly<Record<Topic, number>> = {
  offer: 2,
  issue: 2,
  appeal: 2,
  order: 4,
  account: 3,
  appointment: 3,
  notice: 2,
};

/** The subject says what the mail is about. */
const MOST_OF_SUBJECT = 5;
const SUBJECT_WEIGHT = 4;

const TOPIC_CLASS: Readonly<Record<Topic, ClassSign['of']>> = {
  offer: 'marketing',
  issue: 'marketing',
  appeal: 'marketing',
  order: 'transactional',
  account: 'transactional',
  appointment: 'transactional',
  notice: 'automatic',
};

const TOPIC_NAMES: Readonly<Record<Topic, string>> = {
  offer: 'words of an offer',
  issue: 'words of a newsletter',
  appeal: 'words of an appeal or a survey',
  order: 'words of an order or a payment',
  account: 'words about an account',
  appointment: 'words about an appointment',
  notice: 'words of an automatic notice',
};

/** Less than it takes to name a class: notices have such a link too, and people quote it. */
const UNSUBSCRIBE_WEIGHT = 2;

/** Newsletters are read for a while, in words. */
const LONG_TEXT = 200;

const MANY_IMAGES = 3;
const MANY_LINKS = 5;

/** Links of a long text that leads its readers on. */
const LEADING_LINKS = 3;

/** One link to a social network may be a private one. */
const MANY_NETWORKS = 2;

/** People write little and with few links. */
const LETTER_LINKS = 2;

const topicSigns = (
  counts: TopicCounts,
  where: string,
  weight: number,
  most: (topic: Topic) => number,
): ClassSign[] =>
  (Object.keys(TOPIC_CLASS) as Topic[])
    .filter((topic) => counts[topic] > 0)
    .map((topic) => ({
      of: TOPIC_CLASS[topic],
      weight: Math.min(most(topic), counts[topic] * weight),
      evidence: `${TOPIC_NAMES[topic]} in the ${where}`,
      isWord: true,
    }));

/** What the words of the subject and the body speak for. */
export const wordSigns = (subject: TopicCounts, body: TopicCounts): readonly ClassSign[] => [
  ...topicSigns(subject, 'subject', SUBJECT_WEIGHT, () => MOST_OF_SUBJECT),
  ...topicSigns(body, 'body', 1, (topic) => MOST_OF_BODY[topic]),
];

const MEDIA_QUERY = /@media\b/i;

/** Mail programs nest tables too, but not so many. */
const MANY_TABLES = 4;

/** Whether an HTML part was made by a program that sends such pages to many. */
export const isTemplate = (html: string): boolean =>
  MEDIA_QUERY.test(html) || html.split(/<table\b/i, MANY_TABLES + 1).length > MANY_TABLES;

/** What the body shows besides its words. */
export function shapeSigns(shape: BodyShape): readonly ClassSign[] {
  const { hasHtml, images, links, words, unsubscribeFound } = shape;
  const signs: ClassSign[] = [];
  const add = (of: ClassSign['of'], weight: number, evidence: string) =>
    signs.push({ of, weight, evidence });
  const isPage = hasHtml && images >= MANY_IMAGES && links >= MANY_LINKS;
  const isLong = hasHtml && words >= LONG_TEXT && links >= LEADING_LINKS;
  if (unsubscribeFound) add('marketing', UNSUBSCRIBE_WEIGHT, 'unsubscribe link in the body');
  if (shape.preheader) add('marketing', 1, 'preview text written for the inbox');
  if (hasHtml && unsubscribeFound && words >= LONG_TEXT)
    add('marketing', 1, 'a long text with a way out');
  if (isPage) add('marketing', 1, 'layout of pictures and links');
  if (isLong) add('marketing', 1, 'a long page with links');
  if (shape.hasCampaignHost) add('marketing', PLATFORM_WEIGHT, 'links of a platform for campaigns');
  if (shape.hasCampaignTags) add('marketing', 1, 'links that count a campaign');
  if (shape.networks >= MANY_NETWORKS) add('marketing', 1, 'links to social networks');

  const isService = unsubscribeFound || (hasHtml && images > 0) || shape.linksToSender;
  const byMachine = ['transactional', 'automatic'] as const;
  if (isService) for (const of of byMachine) add(of, 0, 'links or pictures of a service');
  if (shape.isTemplate)
    for (const of of [...byMachine, 'marketing'] as const) add(of, 0, 'page made from a template');
  const isBare = images + shape.trackingPixels === 0 && links <= LETTER_LINKS;
  if (isBare && !unsubscribeFound) add('personal', 2, 'a letter with few links');
  return signs;
}
