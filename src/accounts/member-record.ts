import type { Instant } from "../kernel/clock.ts";
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
  /** Their own; null where only programs act as this member, or a credential opens the dashboard. */
  readonly login: string | null;
  readonly mustChangePassword: boolean;
  readonly hasTotp: boolean;
  readonly passkeys: number;
  /** When a session of theirs was last used; null: never, or long ago. */
  readonly lastSeenAt: Instant | null;
};
