import {
  flag,
  id,
  instant,
  orNull,
  type RecordOf,
  recordReader,
  text,
  textArray,
} from "../../platform/db/columns.ts";
import { reject } from "../../platform/kernel/rejection.ts";

export const credentialLabelMax = 64;

export const credentialFields = {
  id: id("id"),
  memberId: id("member_id"),
  memberName: text("member_name"),
  label: text("label"),
  login: text("login"),
  /** Empty: any address. */
  allowedNetworks: textArray("allowed_networks"),
  /** Its key signs callbacks of objects that no program created. */
  isDesignated: flag("is_designated"),
  createdAt: instant("created_at"),
  revokedAt: orNull(instant("revoked_at")),
  /** When it last started a session; null if never, or more than about a day ago, because ended sessions are deleted then. */
  lastUsedAt: orNull(instant("last_used_at")),
};

/** A login with which a program acts as a member. */
export type Credential = RecordOf<typeof credentialFields>;

export const credentialFromRow = recordReader(credentialFields);

/** Rejects `invalidValue` for a label of more than 64 characters. */
export function assertLabel(label: string): void {
  if (label.length > credentialLabelMax)
    reject("invalidValue", `A label has at most ${credentialLabelMax} characters.`, {
      pointer: "/data/attributes/label",
    });
}
