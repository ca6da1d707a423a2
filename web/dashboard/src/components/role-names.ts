import type { Role } from "../api/me.ts";
import type { PlainText } from "../language/catalogs.ts";
import { t } from "../language/t.ts";

const names = {
  owner: "Owner",
  admin: "Admin",
  withdrawals: "Payouts",
  withdrawals_with_approval: "Payouts with approval",
  read_only: "Read only",
} as const satisfies Readonly<Record<Role, PlainText>>;

export function roleName(role: Role): string {
  return t(names[role]);
}

/** What each role permits, shown when assigning it. */
export const roleMeanings: Readonly<Record<Role, string>> = {
  owner: t("Full access, including managing Owners."),
  admin: t("Full access except managing Owners."),
  withdrawals: t("Can create deposits and payouts, and approve other members' payouts."),
  withdrawals_with_approval: t(
    "Can create deposits, and payouts that another member must approve.",
  ),
  read_only: t("Can view everything but can't make changes."),
};

/** The roles that a member with role `own` may assign: only an Owner can appoint Owners. */
export function roleChoices(own: Role | null): readonly { value: Role; label: string }[] {
  return Object.entries(names)
    .map(([value, label]) => ({ value: value as Role, label: t(label) }))
    .filter(({ value }) => own === "owner" || value !== "owner");
}
