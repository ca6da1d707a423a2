import type { FindAvailability } from "../../currencies/find-availability.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";

/** What the functions of this folder work with. */
export type WalletsContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly currencies: CurrencyRegistry;
  readonly findAvailability: FindAvailability;
};
