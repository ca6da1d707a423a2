import type { Instant } from "../../platform/kernel/clock.ts";

export type SecondFactor = "totp" | "recovery_code" | "passkey";

/** An active session, as shown to its person. */
export type OpenSession = {
  readonly id: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
  readonly expiresAt: Instant;
  readonly ip: string;
  /** Such as `Firefox 140 on Linux`. */
  readonly userAgent: string;
  readonly secondFactor: SecondFactor | null;
};
