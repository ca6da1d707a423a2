import { type Executor, statement } from "../../platform/db/database.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { DepositDefaults } from "./deposit-defaults.ts";

export type DefaultsRow = {
  readonly underpayment_ppm: number | null;
  readonly underpayment_units: string | null;
  readonly overpayment_ppm: number | null;
  readonly overpayment_units: string | null;
  readonly tolerance_currency: string | null;
  readonly default_time_limit: number | null;
  readonly default_callback_url: string | null;
};

/** The columns that `defaultsFromRow` reads, for a select from `account`. */
export const defaultColumns = [
  "underpayment_ppm",
  "underpayment_units",
  "overpayment_ppm",
  "overpayment_units",
  "tolerance_currency",
  "default_time_limit",
  "default_callback_url",
]
  .map((name) => `account.${name}`)
  .join(", ");

export function defaultsFromRow(row: DefaultsRow): DepositDefaults {
  const units = (text: string | null): bigint | null => (text === null ? null : BigInt(text));
  return {
    underpayment: { ppm: row.underpayment_ppm, units: units(row.underpayment_units) },
    overpayment: { ppm: row.overpayment_ppm, units: units(row.overpayment_units) },
    toleranceCurrency: row.tolerance_currency as CurrencyId | null,
    timeLimit: row.default_time_limit,
    callbackUrl: row.default_callback_url,
  };
}

const read = statement<DefaultsRow>(
  "deposit-defaults.read",
  `select ${defaultColumns} from account where id = $1`,
);

const lock = statement<DefaultsRow>(
  "deposit-defaults.lock",
  `select ${defaultColumns} from account where id = $1 for no key update`,
);

const save = statement<never>(
  "deposit-defaults.save",
  `update account set underpayment_ppm = $2, underpayment_units = $3, overpayment_ppm = $4, overpayment_units = $5,
     tolerance_currency = $6, default_time_limit = $7, default_callback_url = $8
   where id = $1`,
);

/** Null if the account does not exist. */
export async function readDepositDefaults(
  db: Executor,
  accountId: string,
): Promise<DepositDefaults | null> {
  const [row] = await db.query(read, [accountId]);
  return row === undefined ? null : defaultsFromRow(row);
}

/** Reads the defaults and locks the account until the transaction ends; null if the account does not exist. */
export async function lockDepositDefaults(
  tx: Executor,
  accountId: string,
): Promise<DepositDefaults | null> {
  const [row] = await tx.query(lock, [accountId]);
  return row === undefined ? null : defaultsFromRow(row);
}

export async function saveDepositDefaults(
  tx: Executor,
  accountId: string,
  { underpayment, overpayment, toleranceCurrency, timeLimit, callbackUrl }: DepositDefaults,
): Promise<void> {
  await tx.query(save, [
    accountId,
    underpayment.ppm,
    underpayment.units?.toString() ?? null,
    overpayment.ppm,
    overpayment.units?.toString() ?? null,
    toleranceCurrency,
    timeLimit,
    callbackUrl,
  ]);
}
