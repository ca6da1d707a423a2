import { mayCreate, type Principal } from "../accounts/principal.ts";
import type { PayeeAddressing } from "../chains/port.ts";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { reject } from "../kernel/rejection.ts";
import type { Seal } from "../kernel/seal.ts";

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
