import type { Instant } from "../platform/kernel/clock.ts";
import type { Role, WalletRights } from "./principal.ts";

/** Someone who acts for an account, as its Owners and Admins see them. */
export type MemberRecord = {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly wallets: WalletRights;
  readonly createdAt: Instant;
  /** Null: active. */
  readonly deactivatedAt: Instant | null;
  /** Null: the operator added it. */
  readonly createdByMemberId: string | null;
  readonly confirmedAt: Instant | null;
  /** Another Owner has to confirm it before it approves payouts above the account's limits. */
  readonly needsConfirmation: boolean;
  /** Their own; null where only programs act as this member. */
  readonly login: string | null;
  readonly mustChangePassword: boolean;
  readonly hasTotp: boolean;
  readonly passkeys: number;
  /** When a session of theirs was last used; null: never, or long ago. */
  readonly lastSeenAt: Instant | null;
};
