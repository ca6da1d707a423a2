import type { Me } from "../api/me.ts";
import type { Rights } from "./use-role.ts";

/** Whether the member may use the simulator: the demo account operates the sandbox, and the service refuses everyone else. */
export function maySimulate({ isOwner }: Pick<Rights, "isOwner">, me: Me | null): boolean {
  return me !== null && me.is_sandbox && me.operates_deployment && isOwner;
}
