import type { Principal, Role } from "../../accounts/principal.ts";

const shownTo: readonly Role[] = ["owner", "admin", "withdrawals", "withdrawals_with_approval"];

/** Whether a member's role lets it see who receives money. */
export function maySeeTravelRule({ role }: Pick<Principal, "role">): boolean {
  return shownTo.includes(role);
}
