import type { Database } from "../platform/db/database.ts";
import type { Clock } from "../platform/kernel/clock.ts";
import type { Random } from "../platform/kernel/random.ts";
import type { Seal } from "../platform/kernel/seal.ts";
import type { PasswordHashing } from "./tokens/password-hash.ts";

/** Dependencies of the functions in this folder. */
export type AccountsContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly seal: Seal;
  /** Hashes the passwords of API credentials. */
  readonly passwordHashing: PasswordHashing;
};
