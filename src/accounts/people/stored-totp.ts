import type { Instant } from "../../platform/kernel/clock.ts";

export type StoredTotp = {
  readonly id: string;
  readonly secretSealed: Uint8Array;
  readonly createdAt: Instant;
  readonly confirmedAt: Instant | null;
};
