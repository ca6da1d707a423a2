import type { ProcessName } from "./check-health.ts";

/** The processes that a host runs, whose parts `sluice check` checks; null: those of a deployment on one machine, which are all. */
export type CheckedRoles = ReadonlySet<ProcessName> | null;

export const processNames: readonly ProcessName[] = ["api", "worker", "signer"];

/** Adds the names in a list separated by commas to those named earlier. Throws for others. */
export function parseRoles(text: string, earlier: CheckedRoles = null): CheckedRoles {
  const roles = text.split(",").map((part) => {
    const name = processNames.find((known) => known === part.trim());
    if (name === undefined)
      throw new Error(`no role "${part.trim()}": use ${processNames.join(", ")}`);
    return name;
  });
  return new Set([...(earlier ?? []), ...roles]);
}

/** Whether the host runs the process. */
export function runsHere(roles: CheckedRoles, name: ProcessName): boolean {
  return roles === null || roles.has(name);
}
