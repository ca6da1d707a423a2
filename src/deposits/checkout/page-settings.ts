/** An account's settings for its payment pages. */
export type PageSettings = {
  /** Null shows no name. */
  readonly shopName: string | null;
  /** Default for deposits without their own help address. */
  readonly helpEmail: string | null;
  /** Origins that may embed the pages in a frame. */
  readonly frameAncestors: readonly string[];
};
