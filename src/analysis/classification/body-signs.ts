/** Collects the signs in the subject and body of an email that suggest what kind of email it is. */

import { PLATFORM_WEIGHT } from './header-signs.ts';
import type { ClassSign } from './sign.ts';
import type { Topic, TopicCounts } from './topics.ts';

/** Facts about the body of an email other than its topics: links, images and layout. */
export interface BodyShape {
  readonly unsubscribeFound: boolean;
  readonly preheader: boolean;
  readonly images: number;
  /** Number of those images that have the size of a logo or an icon, as in a signature. */
  readonly logos: number;
  /** Number of links in the body, not counting unsubscribe links. */
  readonly links: number;
  /** Number of different web pages that links lead to, not counting profiles on networks and home pages. */
  readonly pages: number;
  readonly trackingPixels: number;
  readonly hasHtml: boolean;
  readonly words: number;
  /**
   * True if the body is built from nested tables or adapts to several screen widths, as designed email does
   * and ordinary email does not.
   */
  readonly isTemplate: boolean;
  /** Number of links with campaign tracking tags, such as `utm_campaign`. `taggedPages` counts their pages. */
  readonly taggedLinks: number;
  readonly taggedPages: number;
  /** True if links go through a platform that sends campaigns. */
  readonly hasCampaignHost: boolean;
  /** Number of different social networks that the body links to. */
  readonly networks: number;
  /** True if a link goes to the sender's own website. */
  readonly linksToSender: boolean;
}

/** Returns the shape of the body without the properties that receivers and checks ask senders to add. */
export const withoutAskedFor = (shape: BodyShape): BodyShape => ({
  ...shape,
  unsubscribeFound: false,
  preheader: false,
});

/**
 * Maximum weight of each topic in the body, however many of its phrases occur. Offers have a low maximum,
 * because receipts contain them too.
 */
const MOST_OF_BODY: Readonly<Record<Topic, number>> = {
  offer: 2,
  issue: 2,
  appeal: 2,
  order: 4,
  account: 3,
  appointment: 3,
  notice: 2,
};

/**
 * Maximum weight of a topic in the subject. The maximum is high, because the subject says what the email is
 * about.
 */
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
  offer: 'words typical of an offer',
  issue: 'words typical of a newsletter',
  appeal: 'words typical of an appeal or a survey',
  order: 'words typical of an order or a payment',
  account: 'words about an account',
  appointment: 'words about an appointment',
  notice: 'words typical of an automatic notice',
};

/**
 * Weight of an unsubscribe link. The link alone does not name a class, because notices have one too, and
 * people quote it.
 */
const UNSUBSCRIBE_WEIGHT = 2;

/** Number of words from which a text counts as long, like that of a newsletter. */
const LONG_TEXT = 200;

const MANY_IMAGES = 3;
const MANY_LINKS = 5;

/** Minimum number of pages with tracking tags that shows a campaign. Links in signatures have such tags too. */
const MANY_TAGGED = 3;

/** Minimum number of links with which a long text looks like a newsletter. */
const LEADING_LINKS = 3;

/**
 * Minimum number of different social networks that suggests marketing. A single link may be to a private
 * profile.
 */
const MANY_NETWORKS = 2;

/** Maximum number of links in a personal email, not counting those of a signature. */
const LETTER_LINKS = 2;

/** Maximum number of links in a personal email with a signature. */
const SIGNED_LINKS = 12;

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

/** Returns the signs that the words of the subject and the body give. */
export const wordSigns = (subject: TopicCounts, body: TopicCounts): readonly ClassSign[] => [
  ...topicSigns(subject, 'subject', SUBJECT_WEIGHT, () => MOST_OF_SUBJECT),
  ...topicSigns(body, 'body', 1, (topic) => MOST_OF_BODY[topic]),
];

/** Returns the signs that the links, images and layout of the body give. */
export function shapeSigns(shape: BodyShape): readonly ClassSign[] {
  const { hasHtml, images, links, pages, words, unsubscribeFound } = shape;
  const pictures = images - shape.logos;
  const signs: ClassSign[] = [];
  const add = (of: ClassSign['of'], weight: number, evidence: string) =>
    signs.push({ of, weight, evidence });
  /** Adds a sign of marketing that a letter may have too, unless the email has more than a letter does. */
  const addCommon = (evidence: string, isMore: boolean) =>
    signs.push({ of: 'marketing', weight: 1, evidence, ...(!isMore && { isOfLetters: true }) });
  const isPage = hasHtml && images >= MANY_IMAGES && links >= MANY_LINKS;
  const isLong = hasHtml && words >= LONG_TEXT && links >= LEADING_LINKS;
  if (unsubscribeFound) add('marketing', UNSUBSCRIBE_WEIGHT, 'unsubscribe link in the body');
  if (shape.preheader) add('marketing', 1, 'preview text written for the inbox');
  if (hasHtml && unsubscribeFound && words >= LONG_TEXT)
    add('marketing', 1, 'a long text with an unsubscribe option');
  if (isPage)
    addCommon('layout of images and links', pictures >= MANY_IMAGES && pages >= MANY_LINKS);
  if (isLong) addCommon('a long page with links', false);
  if (shape.hasCampaignHost) add('marketing', PLATFORM_WEIGHT, 'links of a campaign platform');
  if (shape.taggedLinks > 0)
    addCommon('links with campaign tracking', shape.taggedPages >= MANY_TAGGED);
  if (shape.networks >= MANY_NETWORKS) addCommon('links to social networks', false);

  const isService = unsubscribeFound || (hasHtml && images > 0) || shape.linksToSender;
  const byMachine = ['transactional', 'automatic'] as const;
  if (isService) for (const of of byMachine) add(of, 0, 'links or images of a service');
  if (shape.isTemplate)
    for (const of of [...byMachine, 'marketing'] as const) add(of, 0, 'page made from a template');
  const isSmall = images === 0 && links <= LETTER_LINKS;
  const isSigned =
    pictures === 0 && pages <= LETTER_LINKS && links <= SIGNED_LINKS && !shape.isTemplate;
  if ((isSmall || isSigned) && shape.trackingPixels === 0 && !unsubscribeFound)
    add('personal', 2, 'a letter with few links');
  return signs;
}
