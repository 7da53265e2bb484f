/** Facts about the HTML of an email: preview text, hidden text, faults, images and active content. */
export interface HtmlFacts {
  /**
   * True if the HTML has preview text at the top, hidden or marked as such. Preview text is not counted in
   * `hidden_runs`.
   */
  readonly preheader: boolean;
  readonly hiddenPreheader: boolean;
  /**
   * The amount of text that no screen shows, not counting filler characters and layouts for other screens.
   */
  readonly hiddenText: {
    readonly characters: number;
    readonly words: number;
    /** Number of `characters` that belong to the preview text. */
    readonly previewCharacters: number;
    readonly visibleCharacters: number;
  };
  /**
   * Ids of HTML faults: serious ones such as `unclosed` in `fail`, and possible improvements such as
   * `no_lang` in `lint`.
   */
  readonly htmlFaults: { readonly fail: readonly string[]; readonly lint: readonly string[] };
  /** Number of images, not counting tracking pixels. */
  readonly contentImages: number;
  readonly cidMissing: number;
  /** Number of images that are too small to contain the text of an email, such as a logo and icons. */
  readonly logoImages: number;
  /** Hosts from which tracking pixels are loaded. */
  readonly pixelHosts: readonly string[];
  /**
   * Tags and other features that make the HTML active. Those in `hard` get the email blocked. Those in `soft`
   * are only removed.
   */
  readonly active: { readonly hard: readonly string[]; readonly soft: readonly string[] };
}
