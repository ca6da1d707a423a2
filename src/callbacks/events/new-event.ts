import type { Notice } from "../../notifications/notice.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { SubjectType } from "../callback.ts";

/** Something that happened to a deposit or payout, to be recorded in the transaction in which it happened. */
export type NewEvent = {
  readonly accountId: string;
  readonly objectType: SubjectType;
  readonly objectId: string;
  readonly transferId: string | null;
  /** What happened: `confirmed`, `settled`, `reversed`, `blocked`, `status`, ... as the interface lists them; `test` for a test delivery. */
  readonly trigger: string;
  /** Unique per account: an event recorded twice is stored once. */
  readonly key: string;
  /** The callback's `data` and `included`; `meta` is added at each attempt. */
  readonly payload: { readonly data: JsonObject; readonly included: readonly JsonObject[] };
  /** The object's own callback URL; null if it has none. */
  readonly callbackUrl: string | null;
  /**
   * Who else receives it: the account's webhook endpoints that select it, or one endpoint by its id, for a test delivery. Null if nobody does.
   */
  readonly endpoints: "selecting" | { readonly id: string } | null;
  /** Whose key signs the callback. */
  readonly credentialId: string;
  readonly createdAt: Instant;
  /** What members who chose it are notified of the event; absent: nothing. */
  readonly notice?: Notice | null;
};
