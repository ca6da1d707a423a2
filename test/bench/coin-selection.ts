import { selectFewest } from "../../src/chains/select-coins.ts";
import { byteBasis } from "../../src/chains/utxo/fee-basis.ts";
import { type FeeAim, planConsolidation, planPayment } from "../../src/chains/utxo/plan-payment.ts";
import {
  completePlan,
  type Plan,
  ruleOfRate,
  type SpendableCoin,
  type SpendRequest,
  worthwhile,
} from "../../src/chains/utxo/plan-spend.ts";
import { feeAt } from "../../src/chains/utxo/transaction-weight.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { chooseCoins, mergingFeeMax } from "../../src/treasury/sweeping/consolidate-coins.ts";
import { defaultConsolidationSettings } from "../../src/treasury/sweeping/move-context.ts";
import type { BenchSite } from "./bench-site.ts";
import { payWithCore } from "./core-wallet.ts";
import { firstCoins, type PayoutDay, readPayoutYear } from "./payout-year.ts";
import { countFinding, type Finding } from "./report.ts";

/*
 * What Bitcoin payouts cost over a recorded year of fee rates: the product's plans compared with the transactions of Bitcoin
 * Core's wallet, which gets the same deposits and pays the same receivers at the same rates. All coins are P2WPKH.
 */

/** What a year of payouts cost, in satoshis; consolidations included. */
export type YearOfPayouts = {
  readonly payouts: number;
  readonly transactions: number;
  readonly feeUnits: bigint;
  /** Coins that are left at the end. */
  readonly coinsLeft: number;
};

type Wallet = {
  /** Pays the amounts with one transaction at that rate. */
  readonly plan: (purse: SpendRequest, rate: bigint) => Plan | null;
  readonly consolidates: boolean;
};

const scriptLength = 22;
const addressType = "bech32" as const;
const dust = 294n;
/** Nodes relay from one satoshi per virtual byte on. */
const floor = { relay: 1_000n, increment: 1_000n };
const ceiling = 21_000_000n * 100_000_000n;
const seed = 2024;

/** The section of `npm run bench`. Bitcoin Core's rows are left out where bitcoind is not installed. */
export async function benchCoinSelection(site: BenchSite): Promise<readonly Finding[]> {
  const year = readPayoutYear(seed);
  const alone = year.map((day) => ({ ...day, batches: day.batches.flat().map((each) => [each]) }));
  // One payout of each batch: Bitcoin Core takes minutes for thousands of transactions.
  const few = year.map((day) => ({
    ...day,
    batches: day.batches.map((batch) => batch.slice(0, 1)),
  }));
  const together = play(year, { plan: planTogether, consolidates: true });
  const separately = play(alone, { plan: planAlone, consolidates: true });
  const core = await payWithCore(site, year);
  const coreFew = await payWithCore(site, few);
  const later = medianOf(year.map(({ rate }) => rate));
  const withoutSearch = play(year, { plan: planFewest, consolidates: true });
  const unmerged = play(year, { plan: planTogether, consolidates: false });
  const compare = (
    what: string,
    product: YearOfPayouts,
    other: YearOfPayouts | null,
    name: string,
    atMost: number | null,
  ): readonly Finding[] => {
    if (other === null) return [];
    const each = { product: feeOf(product), floor: feeOf(other) };
    const whole = { product: feeOf(product, later), floor: feeOf(other, later) };
    return [
      countFinding(what, each, "sat each", name, null),
      countFinding(`${what}, and the coins that are left`, whole, "sat each", name, atMost),
    ];
  };
  return [
    ...compare("five payouts in a transaction", together, core, "Bitcoin Core, the same", 1),
    ...compare(
      "four payouts a day, each alone",
      play(few, { plan: planAlone, consolidates: true }),
      coreFew,
      "Bitcoin Core, the same",
      1,
    ),
    ...compare("five payouts in a transaction", together, separately, "one each", 0.55),
    ...compare("five payouts", together, withoutSearch, "without branch and bound", 1),
    ...compare("five payouts", together, unmerged, "without consolidation", 1),
  ];
}

/** Satoshis per payout; with a rate, what is left is spent at it, too. */
function feeOf({ feeUnits, payouts, coinsLeft }: YearOfPayouts, later = 0n): number {
  const left = (later * BigInt(byteBasis.inputQuarters(addressType) * coinsLeft)) / 4_000n;
  return Number(feeUnits + left) / payouts;
}

function planTogether(purse: SpendRequest, rate: bigint): Plan | null {
  return planOf(purse, { kind: "rate", rate, most: null });
}

/** A single payout burns exactly what its payer was quoted. */
function planAlone(purse: SpendRequest, rate: bigint): Plan | null {
  const quoted = planTogether(purse, rate);
  if (quoted === null) return null;
  return planOf(purse, { kind: "fee", feeUnits: feeAt(rate, quoted.vsize) });
}

function planOf(purse: SpendRequest, aim: FeeAim): Plan | null {
  const outcome = planPayment(purse, aim, floor, ceiling);
  return outcome.kind === "plan" ? outcome.plan : null;
}

/** As the product plans when it finds no selection without change. */
function planFewest(purse: SpendRequest, rate: bigint): Plan | null {
  const shape = { inputs: [], scriptLengths: [...purse.scriptLengths, scriptLength] };
  const least = purse.paid + feeAt(rate, byteBasis.sizeOf(shape)) + dust;
  const fewest = selectFewest(worthwhile(purse, rate), least, byteBasis.sizeMax * 4);
  if (fewest === null) return null;
  const coins = fewest.map(({ item }) => item);
  return completePlan(purse, coins, dust, ruleOfRate(rate, floor.relay, ceiling));
}

/** Lives through the days with a wallet in memory, whose coins are all confirmed. */
function play(days: readonly PayoutDay[], { plan, consolidates }: Wallet): YearOfPayouts {
  let coins: SpendableCoin[] = [];
  let created = 0;
  let transactions = 0;
  let payouts = 0;
  let feeUnits = 0n;
  const receive = (units: bigint): void => {
    created += 1;
    coins.push({ claim: `${created}`, units, addressType, branch: 0, keyIndex: created });
  };
  const apply = (made: Plan): void => {
    const spent = new Set(made.coins.map(({ claim }) => claim));
    coins = coins.filter(({ claim }) => !spent.has(claim));
    if (made.change !== null) receive(made.change);
    transactions += 1;
    feeUnits += made.feeUnits;
  };
  for (const units of firstCoins) receive(units);
  for (const { rate, deposits, batches } of days) {
    for (const units of deposits) receive(units);
    for (const batch of batches) {
      apply(present(plan(purseOf(coins, batch), rate), "coins for a batch"));
      payouts += batch.length;
    }
    const merged = consolidates ? consolidate(coins, rate) : null;
    if (merged !== null) apply(merged);
  }
  return { payouts, transactions, feeUnits, coinsLeft: coins.length };
}

function purseOf(coins: readonly SpendableCoin[], amounts: readonly bigint[]): SpendRequest {
  const paid = amounts.reduce((sum, units) => sum + units, 0n);
  const scriptLengths = amounts.map(() => scriptLength);
  return { coins, paid, scriptLengths, change: { scriptLength, addressType, dust } };
}

/** With the worker's settings and its rule: fees are low if paying with one coin more than are chosen costs little. */
function consolidate(coins: readonly SpendableCoin[], rate: bigint): Plan | null {
  const settings = defaultConsolidationSettings;
  const chosen = new Set(chooseCoins(coins, settings));
  const inputs = Array.from({ length: chosen.size + 1 }, () => addressType);
  const size = byteBasis.sizeOf({ inputs, scriptLengths: [scriptLength, scriptLength] });
  const most = mergingFeeMax(settings, chosen.size);
  if (chosen.size === 0 || feeAt(rate, size) > most) return null;
  const purse = purseOf(
    coins.filter((coin) => chosen.has(coin)),
    [],
  );
  const outcome = planConsolidation(purse, { kind: "rate", rate, most: null }, floor, most);
  return outcome.kind === "plan" ? outcome.plan : null;
}

function medianOf(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => Number(a - b));
  return present(sorted[Math.floor(sorted.length / 2)], "a rate");
}
