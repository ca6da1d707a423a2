/** How an account's payment pages show themselves. */
export type PageSettings = {
  /** Null shows no name. */
  readonly shopName: string | null;
  /** Of deposits that name none of their own. */
  readonly helpEmail: string | null;
  /** Origins that may show the pages in a frame. */
  readonly frameAncestors: readonly string[];
};
