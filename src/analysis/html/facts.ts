/** Facts about the HTML of an email. */
export interface HtmlFacts {
  /** There is preview text at the top, hidden or marked as such. It is not counted in `hidden_runs`. */
  readonly preheader: boolean;
  readonly hiddenPreheader: boolean;
  /** Letters and digits that are shown on no screen, not counting filler and second layouts. */
  readonly hiddenText: {
    readonly characters: number;
    readonly words: number;
    /** How many of `characters` belong to the preview text. */
    readonly previewCharacters: number;
    readonly visibleCharacters: number;
  };
  /** Ids of faults: `unclosed`, `unknown_tags`, `no_html`, `no_body`; `no_lang`, `no_title`, … */
  readonly htmlFaults: { readonly fail: readonly string[]; readonly lint: readonly string[] };
  /** Without tracking pixels. */
  readonly contentImages: number;
  readonly cidMissing: number;
  /** Images that are too small to contain the text of an email, such as a logo and icons. */
  readonly logoImages: number;
  /** Hosts from which tracking pixels are loaded. */
  readonly pixelHosts: readonly string[];
  /** Tags and kinds that make HTML active. `hard` gets the email blocked, `soft` is only stripped. */
  readonly active: { readonly hard: readonly string[]; readonly soft: readonly string[] };
}
