/** What the receiver wrote down of one delivery. */
export type Delivery = {
  readonly webhookId: string;
  readonly objectId: string;
  /** SHA-256 of `[data, included]` as they came. */
  readonly digest: string;
  readonly status: 200 | 500;
};
