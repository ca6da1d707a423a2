import type { Database } from "../platform/db/database.ts";
import type { Clock } from "../platform/kernel/clock.ts";
import type { Random } from "../platform/kernel/random.ts";
import type { Seal } from "../platform/kernel/seal.ts";
import type { PasswordHashing } from "./tokens/password-hash.ts";

/** What the functions of this folder work with. */
export type AccountsContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly seal: Seal;
  /** Of programs' credentials. */
  readonly passwordHashing: PasswordHashing;
};
