import type { Instant } from "../../platform/kernel/clock.ts";

export type SecondFactor = "totp" | "recovery_code" | "passkey";

/** An open session as its person may see it. */
export type OpenSession = {
  readonly id: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
  readonly expiresAt: Instant;
  readonly ip: string;
  /** Short. */
  readonly userAgent: string;
  readonly secondFactor: SecondFactor | null;
};
