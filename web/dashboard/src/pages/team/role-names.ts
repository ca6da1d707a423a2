import type { Role } from "../../api/me.ts";

export const roleNames: Readonly<Record<Role, string>> = {
  owner: "Owner",
  admin: "Admin",
  withdrawals: "Withdrawals",
  withdrawals_with_approval: "Withdrawals with approval",
  read_only: "Read only",
};

/** What each role may do, for whoever gives it. */
export const roleMeanings: Readonly<Record<Role, string>> = {
  owner: "Everything, other Owners included.",
  admin: "Everything but Owners: members, credentials, wallets, settings.",
  withdrawals: "Creates deposits and payouts, and approves other people's payouts.",
  withdrawals_with_approval: "Creates deposits, and payouts that somebody else approves.",
  read_only: "Looks, and changes nothing.",
};

/** The roles that somebody may give: an Admin makes no Owner. */
export function roleChoices(own: Role | null): readonly { value: Role; label: string }[] {
  return Object.entries(roleNames)
    .map(([value, label]) => ({ value: value as Role, label }))
    .filter(({ value }) => own === "owner" || value !== "owner");
}
