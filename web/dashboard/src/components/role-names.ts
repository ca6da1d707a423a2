import type { Role } from "../api/me.ts";

export const roleNames: Readonly<Record<Role, string>> = {
  owner: "Owner",
  admin: "Admin",
  withdrawals: "Payouts",
  withdrawals_with_approval: "Payouts with approval",
  read_only: "Read only",
};

/** What each role permits, shown when assigning it. */
export const roleMeanings: Readonly<Record<Role, string>> = {
  owner: "Full access, including managing Owners.",
  admin: "Full access except managing Owners.",
  withdrawals: "Can create deposits and payouts, and approve other members' payouts.",
  withdrawals_with_approval: "Can create deposits, and payouts that another member must approve.",
  read_only: "Can view everything but can't make changes.",
};

/** The roles that a member with role `own` may assign: only an Owner can appoint Owners. */
export function roleChoices(own: Role | null): readonly { value: Role; label: string }[] {
  return Object.entries(roleNames)
    .map(([value, label]) => ({ value: value as Role, label }))
    .filter(({ value }) => own === "owner" || value !== "owner");
}
