import type { Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { ObjectType } from "../callback.ts";

/** An event with its number in the account's feed. */
export type FeedEvent = {
  readonly seq: string;
  readonly objectType: ObjectType;
  readonly objectId: string;
  readonly transferId: string | null;
  readonly walletId: string | null;
  readonly trigger: string;
  readonly payload: { readonly data: JsonObject; readonly included: readonly JsonObject[] };
  readonly createdAt: Instant;
};
