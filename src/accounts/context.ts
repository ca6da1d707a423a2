import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Random } from "../kernel/random.ts";
import type { Seal } from "../kernel/seal.ts";
import type { PasswordHashing } from "./password-hash.ts";

/** What the verbs of this folder work with. */
export type AccountsContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly seal: Seal;
  readonly passwordHashing: PasswordHashing;
};
