import type { Principal, Role } from "../../accounts/principal.ts";

const viewers: readonly Role[] = ["owner", "admin", "withdrawals", "withdrawals_with_approval"];

/** Whether a role may view travel-rule data. */
export function mayViewTravelRule({ role }: Pick<Principal, "role">): boolean {
  return viewers.includes(role);
}
