import {
  id,
  instant,
  jsonObject,
  orNull,
  type RecordOf,
  recordReader,
  text,
} from "../../platform/db/columns.ts";
import type { ObjectType } from "../callback.ts";
import type { NewEvent } from "./new-event.ts";

export const feedFields = {
  /** Its number in the account's feed. */
  seq: id("seq"),
  objectType: text<ObjectType>("object_type"),
  objectId: id("object_id"),
  transferId: orNull(id("transfer_id")),
  walletId: orNull(text("wallet_id")),
  trigger: text("trigger"),
  payload: jsonObject<NewEvent["payload"]>("payload"),
  createdAt: instant("created_at"),
};

/** An event with its number in the account's feed. */
export type FeedEvent = RecordOf<typeof feedFields>;

export const feedEventFromRow = recordReader(feedFields);
