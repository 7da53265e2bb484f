export interface HtmlFacts {
  /** Preview text at the top, hidden or named so; not among `hidden_runs`. */
  readonly preheader: boolean;
  readonly hiddenPreheader: boolean;
  /** Letters and digits that no screen shows, filler and second layouts aside. */
  readonly hiddenText: {
    readonly characters: number;
    readonly words: number;
    /** Of `characters`, those of the preview text. */
    readonly previewCharacters: number;
    readonly visibleCharacters: number;
  };
  /** Ids of faults: `unclosed`, `unknown_tags`, `no_html`, `no_body`; `no_lang`, `no_title`, … */
  readonly htmlFaults: { readonly fail: readonly string[]; readonly lint: readonly string[] };
  /** Without tracking pixels. */
  readonly contentImages: number;
  readonly cidMissing: number;
  /** Pictures too small to hold the text of a mail, such as a logo and icons. */
  readonly logoImages: number;
  /** Hosts that tracking pixels are loaded from. */
  readonly pixelHosts: readonly string[];
  /** Tags and kinds that make HTML active; `hard` blocks, `soft` is only stripped. */
  readonly active: { readonly hard: readonly string[]; readonly soft: readonly string[] };
}
