import type { Instant } from "../../kernel/clock.ts";

export type StoredTotp = {
  readonly id: string;
  readonly secretSealed: Uint8Array;
  readonly createdAt: Instant;
  readonly confirmedAt: Instant | null;
};
