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
  /** Null for a chain that is not enabled in this deployment. */
  readonly findPayeeAddressing: (chain: string) => PayeeAddressing | null;
};

/** Rejects `permissionDenied` for the role Read only. */
export function assertMayChangeBeneficiaries(principal: Principal): void {
  if (!mayCreate(principal))
    reject("permissionDenied", "Your role can view beneficiaries but can't change them.");
}
