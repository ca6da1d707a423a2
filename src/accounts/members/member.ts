import type { Instant } from "../../platform/kernel/clock.ts";
import type { Role, WalletRights } from "../principal.ts";

/** A person or a program that acts for an account. */
export type Member = {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly wallets: WalletRights;
  readonly createdAt: Instant;
  /** Null: active. */
  readonly deactivatedAt: Instant | null;
  /** Null: the operator created it. */
  readonly createdByMemberId: string | null;
  readonly confirmedAt: Instant | null;
  /** Another Owner must confirm the member before it approves payouts above the account's limits. */
  readonly needsConfirmation: boolean;
  /** The person's login; null where only programs act as this member. */
  readonly login: string | null;
  readonly mustChangePassword: boolean;
  readonly hasTotp: boolean;
  readonly passkeys: number;
  /** When a session of the member was last used; null: never, or too long ago to be stored. */
  readonly lastSeenAt: Instant | null;
};
