/** The receiver's record of one delivery. */
export type Delivery = {
  readonly webhookId: string;
  readonly objectId: string;
  /** SHA-256 of `[data, included]` as received. */
  readonly digest: string;
  readonly status: 200 | 500;
};
