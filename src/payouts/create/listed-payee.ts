import type { Instant } from "../../platform/kernel/clock.ts";

/** A destination that an account may pay to, where it pays to its whitelist only. */
export type ListedPayee = {
  readonly id: string;
  readonly chain: string;
  readonly address: string;
  readonly tag: string | null;
  readonly label: string;
  /** Whether the account pays to its whitelist only. */
  readonly isEnforced: boolean;
  readonly createdAt: Instant;
};
