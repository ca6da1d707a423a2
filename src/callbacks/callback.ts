import {
  columnList,
  group,
  id,
  instant,
  integer,
  orNull,
  type RecordOf,
  type Row,
  recordReader,
  text,
} from "../platform/db/columns.ts";
import { escapeAnswer } from "./deliver/escape-answer.ts";

/** The objects of callbacks and events. */
export const objectTypes = [
  { value: "deposit", name: "about a deposit" },
  { value: "payout", name: "about a payout" },
] as const;

/** The types of objects that events are about. */
export type ObjectType = (typeof objectTypes)[number]["value"];

/** The subject of a callback: an object of an event, or `test` for a test delivery. */
export type SubjectType = ObjectType | "test";

export type CallbackStatus = "pending" | "delivered" | "exhausted";

/** The wallet of an event's object, as text. */
export const eventWallet = "event.payload #>> '{data,relationships,wallet,data,id}'";

export const callbackFields = {
  id: id("id"),
  url: text("url"),
  status: text<CallbackStatus>("status"),
  trigger: text("trigger"),
  objectType: text<SubjectType>("object_type"),
  objectId: id("object_id"),
  walletId: orNull(text("wallet_id")),
  webhookId: text("webhook_id"),
  /** The webhook endpoint that it goes to; null: the object's callback URL. */
  endpointId: orNull(id("endpoint_id")),
  attempts: integer("attempts"),
  /** Null when nothing more will be sent. */
  nextAttemptAt: orNull(instant("due_at")),
  lastStatusCode: orNull(integer("last_status_code")),
  /** Why the newest attempt got no answer; null if it got one, and before the first. */
  lastError: orNull(text("last_error")),
  deliveredAt: orNull(instant("delivered_at")),
  createdAt: instant("created_at"),
  updatedAt: instant("updated_at"),
};

/** A delivery of one event to one URL, as its owner sees it. */
export type Callback = RecordOf<typeof callbackFields>;

export const callbackFromRow = recordReader(callbackFields);

const attemptFields = {
  number: integer("number"),
  attemptedAt: instant("attempted_at"),
  durationMs: integer("duration_ms"),
  statusCode: orNull(integer("status_code")),
  /** Why there was no answer; null if there was one. */
  error: orNull(text("error")),
  /** The first 2 KiB of the answer as text, unprintable characters escaped. */
  answerHead: {
    types: { answer_head: "bytea" },
    read: ({ answer_head: head }: Row) => (head === null ? null : escapeAnswer(head as Uint8Array)),
  },
  /** Null for attempts from before migration 0078. */
  signed: orNull(group({ sign: text("meta_sign"), webhookSignature: text("webhook_signature") })),
};

/** One entry of a callback's log. */
export type CallbackAttempt = RecordOf<typeof attemptFields>;

export const attemptColumns = columnList(attemptFields);
export const attemptFromRow = recordReader(attemptFields);
