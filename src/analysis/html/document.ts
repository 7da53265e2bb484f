/** A link as it stands in the HTML. Positions are in the visible text. */
export interface Anchor {
  readonly href: string;
  readonly start: number;
  end: number;
}

export interface Image {
  readonly src: string;
  readonly hasAlt: boolean;
  /** Remote, and one pixel or hidden. */
  readonly trackingPixel: boolean;
  /** By its declared size: a logo or an icon. */
  readonly small: boolean;
}

/** What one HTML part holds, gathered in one pass over its tokens. Stays inside. */
export interface HtmlDocument {
  /** Text that is seen; blocks are separated by line ends. */
  readonly text: string;
  readonly anchors: readonly Anchor[];
  readonly images: readonly Image[];
  /** Pictures by `background` and `url(…)`. */
  readonly backgrounds: readonly string[];
  /** Anchors and pictures in all, before the limit on those examined. */
  readonly linksTotal: number;
  readonly linksTruncated: boolean;
  /** Hidden runs with text in them, a preheader aside. */
  readonly hiddenRuns: number;
  readonly preheader: boolean;
  /** The preview text is hidden in the mail, and shown by the client alone. */
  readonly hiddenPreheader: boolean;
  readonly lowContrast: boolean;
  readonly forms: number;
  readonly scripts: number;
  readonly externalCss: number;
  readonly activeHard: readonly string[];
  readonly activeSoft: readonly string[];
  readonly hasHtml: boolean;
  readonly hasBody: boolean;
  readonly hasLang: boolean;
  readonly hasTitle: boolean;
  readonly unclosed: boolean;
  /** Start tags in all, and those that are no HTML. */
  readonly tags: number;
  readonly unknownTags: number;
}
