import type { AccountFunds, SequenceRange } from "../../chains/paying-port.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { readClaimedSequences, readHighestNumber } from "./claim.store.ts";
import { allocateRanges, type Run, sequenceClaimOf } from "./sequence-allocator.ts";
import { readSpendsInFlight } from "./spend.store.ts";
import { holdsClaims, type Spend } from "./spend.ts";

/** What an account's unfinished spends use of it. */
export type AccountInUse = {
  /** The sequence numbers of its next transactions, each of which claims so many; null for each if the chain has none. */
  readonly sequences: (sizes: readonly number[]) => readonly SequenceRange[];
  /** How many of its spends are not in a block yet, and how many of those use numbers of its own. */
  readonly openCount: number;
  readonly openOwnCount: number;
  /** The most that those can take out of the account, in units of the currency. */
  readonly open: (currency: CurrencyId) => bigint;
  /** What spends took whose block is not at the currency's confirmation count yet, in units of the currency. */
  readonly included: (currency: CurrencyId) => bigint;
};

/**
 * Reads an account's unfinished spends. `chainNext` is the first sequence number that no block has used; null if the chain
 * has none. `numbersOnce` as in `ChainWriter.account`.
 */
export async function readAccountInUse(
  db: Executor,
  chain: string,
  sender: string,
  chainNext: bigint | null,
  numbersOnce = false,
): Promise<AccountInUse> {
  const sequences = await readSequences(db, chain, sender, chainNext, numbersOnce);
  const spends = await readSpendsInFlight(db, chain, sender);
  const open = spends.filter(({ state }) => state === "open");
  const included = spends.filter(({ state }) => state === "included");
  return {
    sequences,
    openCount: open.length,
    openOwnCount: open.filter((spend) => lenderOf(spend) === null).length,
    open: (currency) => sum(open.map((spend) => outflow(spend, currency))),
    included: (currency) => sum(included.map((spend) => outflow(spend, currency))),
  };
}

async function readSequences(
  db: Executor,
  chain: string,
  sender: string,
  chainNext: bigint | null,
  numbersOnce: boolean,
): Promise<AccountInUse["sequences"]> {
  if (chainNext === null) return (sizes) => sizes.map(() => ({ sequence: null }));
  if (numbersOnce) {
    const highest = await readHighestNumber(db, chain, sender);
    const next = highest === null || highest < chainNext ? chainNext : highest + 1n;
    return (sizes) => sizes.map((_, at) => ({ sequence: next + BigInt(at) }));
  }
  const claimed = await readClaimedSequences(db, chain, sender, chainNext);
  return (sizes) => allocateRanges(chainNext, claimed, sizes).map(rangeOf);
}

/** Whose number the spend's newest transaction uses, if not one of its sender; see `AccountLenders`. */
export function lenderOf({ sender, attempts }: Pick<Spend, "sender" | "attempts">): string | null {
  const claim = sequenceClaimOf(attempts.at(-1)?.draft.claims ?? []);
  return claim === null || claim.sender === sender ? null : claim.sender;
}

function rangeOf({ sequence, through }: Run): SequenceRange {
  return sequence === through ? { sequence } : { sequence, through };
}

/**
 * What new transactions may take out of the account; negative if it is short. Incoming funds count once they have the currency's
 * confirmations (`final`); outgoing funds are deducted at once: spends in no block, and spends in blocks that `final` does not
 * reflect yet. What the chain keeps back is deducted too. Pure.
 */
export function freeUnits(
  { latest, final, reserved }: AccountFunds,
  inUse: Pick<AccountInUse, "open" | "included">,
  currency: CurrencyId,
): bigint {
  const open = inUse.open(currency);
  const ofFinal = final - open - inUse.included(currency);
  const ofLatest = latest - open;
  return (ofFinal < ofLatest ? ofFinal : ofLatest) - reserved;
}

/**
 * The most that a spend takes out of its sender's account, in units of the currency. A reverted spend took only the fee. If a
 * token's contract moved another amount than requested, that amount counts.
 */
export function outflow(spend: Spend, currency: CurrencyId): bigint {
  const { inclusion, request, leaves, feeCurrency } = spend;
  const fees = spend.attempts.filter(holdsClaims).map(({ draft }) => draft.feeUnits);
  const dearest = fees.reduce((most, fee) => (fee > most ? fee : most), 0n);
  const fee = feeCurrency === currency ? (inclusion?.burntUnits ?? dearest) : 0n;
  const delivery = inclusion?.delivery ?? null;
  if (delivery !== null) return delivery.currency === currency ? delivery.sentUnits : fee;
  if (inclusion?.hasSucceeded === false) return fee;
  const { payments: outcomes, deliveries = [] } = inclusion ?? {};
  const odd = new Map(deliveries.map((one) => [one.place, one]));
  const made = request?.payments.flatMap(({ amount }, at) => {
    const one = odd.get(at);
    if (one !== undefined) return [{ units: one.sentUnits, currency: one.currency }];
    return (outcomes?.[at] ?? "made") === "made" ? [amount] : [];
  });
  const amounts = made ?? [leaves];
  return fee + sum(amounts.map((amount) => (amount?.currency === currency ? amount.units : 0n)));
}

function sum(units: readonly bigint[]): bigint {
  return units.reduce((total, each) => total + each, 0n);
}
