import { mayCreate, type Principal } from "../../accounts/principal.ts";
import type { PayeeAddressing } from "../../chains/port.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { Seal } from "../../platform/kernel/seal.ts";

export type BeneficiaryContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly currencies: CurrencyRegistry;
  /** Null for a chain that this deployment does not run. */
  readonly findPayeeAddressing: (chain: string) => PayeeAddressing | null;
};

/** Rejects `permissionDenied` for a member who may only read. */
export function requireWriter(principal: Principal): void {
  if (!mayCreate(principal))
    reject("permissionDenied", "You may read beneficiaries, not change them.");
}
