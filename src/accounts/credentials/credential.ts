import {
  columnList,
  computed,
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

const credentialFields = {
  id: id("id"),
  memberId: id("member_id"),
  memberName: computed("m.name", text("member_name")),
  label: text("label"),
  login: text("login"),
  /** Empty: any address. */
  allowedNetworks: computed("c.allowed_networks::text[]", textArray("allowed_networks")),
  /** Its key signs callbacks of objects that no program created. */
  isDesignated: computed(
    "c.id is not distinct from a.designated_credential_id",
    flag("is_designated"),
  ),
  createdAt: instant("created_at"),
  revokedAt: orNull(instant("revoked_at")),
  /** When it last started a session; null if never, or more than about a day ago, because ended sessions are deleted then. */
  lastUsedAt: computed(
    `select max(f.created_at) from token_family f
     where f.account_id = c.account_id and f.credential_id = c.id`,
    orNull(instant("last_used_at")),
  ),
};

/** A login with which a program acts as a member. */
export type Credential = RecordOf<typeof credentialFields>;

/** The columns that `credentialFromRow` reads, for a select from `credential as c`, `member as m` and `account as a`. */
export const credentialColumns = columnList(credentialFields, "c");
export const credentialFromRow = recordReader(credentialFields);

/** Rejects `invalidValue` for a label of more than 64 characters. */
export function assertLabel(label: string): void {
  if (label.length > credentialLabelMax)
    reject("invalidValue", `A label has at most ${credentialLabelMax} characters.`, {
      pointer: "/data/attributes/label",
    });
}
