import {
  bytes,
  columnList,
  flag,
  height,
  id,
  instant,
  orNull,
  type RecordOf,
  recordReader,
  text,
  textArray,
} from "../../platform/db/columns.ts";

/** Stored at registration. */
export const newPasskeyFields = {
  accountId: id("account_id"),
  memberId: id("member_id"),
  name: text("name"),
  /** The id that the authenticator gave it, base64url. */
  keyId: text("key_id"),
  publicKey: bytes("public_key"),
  counter: height("counter"),
  transports: textArray("transports"),
  /** It is synchronized to the vendor's cloud. */
  isBackedUp: flag("is_backed_up"),
  createdAt: instant("created_at"),
};

const passkeyFields = {
  ...newPasskeyFields,
  id: id("id"),
  lastUsedAt: orNull(instant("last_used_at")),
};

export type Passkey = RecordOf<typeof passkeyFields>;

/** The columns that `passkeyFromRow` reads. */
export const passkeyColumns = columnList(passkeyFields);
export const passkeyFromRow = recordReader(passkeyFields);
