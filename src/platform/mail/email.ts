import {
  id,
  instant,
  integer,
  jsonObject,
  orNull,
  type RecordOf,
  recordReader,
  text,
} from "../db/columns.ts";
import type { JsonObject } from "../kernel/json.ts";

/** What an email is; the texts of each are in `src/notifications/`. */
export type EmailKind =
  | "notification"
  | "receipt"
  | "email_verification"
  | "invitation"
  | "password_reset"
  | "password_changed"
  | "address_changed"
  | "protection_change"
  | "protection_changed";

/** An email to be written in the transaction of what it reports. */
export type NewEmail = {
  readonly accountId: string;
  /** Null: to a person who is no member. */
  readonly memberId: string | null;
  readonly kind: EmailKind;
  readonly recipient: string;
  /** What the text is made from when it is sent; never a secret. */
  readonly content: JsonObject;
  /** The token in its link, stored sealed until the email is sent; null without one. */
  readonly secret: string | null;
};

export const claimedEmailFields = {
  accountId: id("account_id"),
  id: id("id"),
  memberId: orNull(id("member_id")),
  kind: text<EmailKind>("kind"),
  topic: orNull(text("topic")),
  recipient: text("recipient"),
  content: jsonObject("content"),
  /** Attempts made so far. */
  attempts: integer("attempts"),
  createdAt: instant("created_at"),
  /** No other process sends it before then; also identifies the claim. */
  claimedUntil: instant("claimed_until"),
};

/** An email that this process sends now. */
export type ClaimedEmail = RecordOf<typeof claimedEmailFields> & {
  readonly secretSealed: Uint8Array | null;
};

export const readClaimedEmail = recordReader(claimedEmailFields);

/** The sealing context of an email's token. */
export function emailSecretContext(id: string): string {
  return `email/${id}`;
}

/** The text of an email. */
export type RenderedEmail = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Name of the sender; null: the deployment's. */
  readonly fromName: string | null;
  /** URL that ends such emails by GET (with a question) and POST (at once, RFC 8058); null: they cannot be ended. */
  readonly unsubscribeUrl: string | null;
};
