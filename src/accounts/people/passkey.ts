import type { Instant } from "../../platform/kernel/clock.ts";

export type Passkey = {
  readonly accountId: string;
  readonly memberId: string;
  readonly id: string;
  readonly name: string;
  /** The id that the authenticator gave it, base64url. */
  readonly keyId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  /** It is synchronized to the vendor's cloud. */
  readonly isBackedUp: boolean;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
};
