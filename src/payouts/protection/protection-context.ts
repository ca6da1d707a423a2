import { accountAdministratorsOnly } from "../../accounts/administrators-only.ts";
import type { Member } from "../../accounts/members/member.ts";
import type { PeopleContext } from "../../accounts/people/context.ts";
import { mayAdministerAccount, type Principal } from "../../accounts/principal.ts";
import type { PayeeAddressing } from "../../chains/port.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { TravelRuleThresholds } from "../travel-rule/travel-rule.ts";

export type ProtectionContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly currencies: CurrencyRegistry;
  readonly people: Pick<PeopleContext["people"], "confirmationSeconds" | "approverMinAgeSeconds">;
  /** How long a loosening waits that nobody else can approve. */
  readonly looseningWaitSeconds: number;
  /** Null for a chain that is not enabled in this deployment. */
  readonly findPayeeAddressing: (chain: string) => PayeeAddressing | null;
  /** Those of the configuration. */
  readonly travelRuleThresholds: TravelRuleThresholds;
};

/** A change that waits for another member expires after this. */
export const approvalSeconds = 7 * 86_400;
/** After a member takes another's access, loosening always needs another member, for this long. */
export const accessTakenSeconds = 7 * 86_400;

/** Rejects `permissionDenied` unless the caller is an Owner or Admin who sees all wallets. */
export const requireProtector = accountAdministratorsOnly(
  "Only an Owner or Admin can view and change what protects payouts.",
);

/**
 * Rejects `permissionDenied` unless the caller still is what `requireProtector` demands, by the locked members: its access may have ended
 * since the request was authenticated.
 */
export function assertStillProtector(members: readonly Member[], { memberId }: Principal): void {
  const member = members.find(({ id }) => id === memberId);
  if (member?.deactivatedAt !== null || !mayAdministerAccount(member))
    reject("permissionDenied", "Your access has just been changed.");
}
