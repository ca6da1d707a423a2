import type { Draft, DraftOutcome, Funds, Payment } from "../../chains/paying-port.ts";
import type { Destination } from "../../chains/port.ts";
import { chainAsset } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import { type Money, money } from "../../platform/kernel/money.ts";
import { freeUnits, readAccountInUse } from "../spends/account-in-use.ts";
import { createSpend } from "../spends/create-spend.ts";
import { excludeNodesBehind } from "../spends/exclude-nodes-behind.ts";
import { findFeeCeiling } from "../spends/fee-ceiling.ts";
import { defaultSpendSettings } from "../spends/spend-context.ts";
import { isColdTransferPending } from "./move.store.ts";
import type { ColdSettings, MoveContext } from "./move-context.ts";

/** Money moves only once it exceeds the ceiling by a twentieth, so that not every payment causes a transaction. */
const slack = 20n;
/** The most coins offered to one draft. */
const coinsMax = 500;
/** How many amounts are tried, each smaller than the one before. */
const draftsMax = 6;

/**
 * Moves money above the operator's ceilings, beyond what waiting payouts need, to the cold address: one transaction per
 * currency at a time. This only proposes; the signer has its own cold address and signs for no other. Rejects with
 * `Unavailable` if the node does not respond. Returns how many spends it created.
 */
export async function moveExcessToCold(
  context: MoveContext,
  { address, ceilings }: ColdSettings,
  signal: AbortSignal,
): Promise<number> {
  const { db, chain } = context;
  if (await context.isStopped(db, chain.chain)) return 0;
  const demand = await context.demand(db, chain.chain);
  let opened = 0;
  for (const ceiling of ceilings) {
    if (signal.aborted || (await isColdTransferPending(db, chain.chain, ceiling.currency)))
      continue;
    const hot = await readHot(context, ceiling.currency, signal);
    if (hot === null) continue;
    const needed = demand.find(({ currency }) => currency === ceiling.currency)?.units ?? 0n;
    const excess = excessOf(hot.units, needed, ceiling.units);
    if (excess === 0n) continue;
    const move = { address, amount: money(excess, ceiling.currency), least: ceiling.units / slack };
    if (await createColdSpend(context, move, await hot.funds(), signal)) opened += 1;
  }
  return opened;
}

/** What exceeds the ceiling beyond what is needed; 0 if it is not worth a transaction. Pure. */
export function excessOf(held: bigint, needed: bigint, ceiling: bigint): bigint {
  const excess = held - needed - ceiling;
  return excess > 0n && excess * slack >= ceiling ? excess : 0n;
}

/** `funds` is called only if something moves, since it issues a change address. */
type Hot = { readonly units: bigint; readonly funds: () => Promise<Funds> };

/** The spendable money and its funds; null if nothing is spendable. */
async function readHot(
  { db, clock, chain, coins, currencies }: MoveContext,
  currency: Money["currency"],
  signal: AbortSignal,
): Promise<Hot | null> {
  const { account } = chain.writer;
  if (account === null) {
    const own = present(coins, `the coins of ${chain.chain}`);
    const spendable = await own.spendable(db, coinsMax);
    if (spendable.length === 0) return null;
    return {
      units: spendable.reduce((sum, coin) => sum + coin.units, 0n),
      funds: async () => {
        const change = await db.transaction((tx) => own.nextChange(tx, clock.now()));
        return { kind: "coins", coins: spendable, change };
      },
    };
  }
  const { hot } = present(chain.addressing.treasury, "accounts of our own");
  const address = chain.addressing.watchKey(hot);
  // A node that is behind would offer money that has left since.
  await excludeNodesBehind({ db, chain: chain.chain, writer: chain.writer });
  const chainNext = (await account.nextSequence?.(address, signal)) ?? null;
  const inUse = await readAccountInUse(db, chain.chain, address, chainNext, account.numbersOnce);
  const { confirmationBlocks } = currencies.get(currency);
  const held = await account.funds(address, currency, confirmationBlocks, signal);
  return {
    units: freeUnits(held, inUse, currency),
    funds: () =>
      Promise.resolve({
        kind: "account",
        address,
        sequence: inUse.sequences([1])[0]?.sequence ?? null,
      }),
  };
}

/** What to move, and the least that is worth a transaction. */
type ColdMove = {
  readonly address: Destination;
  readonly amount: Money;
  readonly least: bigint;
};

async function createColdSpend(
  context: MoveContext,
  move: ColdMove,
  funds: Funds,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, clock, chain, currencies } = context;
  const { writer } = chain;
  const drafted = await draftWhatFits(context, move, funds, signal);
  if (drafted === null) return false;
  const { draft, payments, amount } = drafted;
  const { currency, units } = amount;
  const confirmations = Math.max(
    ...[currency, writer.coin].map((id) => currencies.get(id).confirmationBlocks),
  );
  const opened = await db.transaction((tx) =>
    createSpend(
      tx,
      {
        chain: chain.chain,
        kind: "cold",
        feeCurrency: writer.coin,
        confirmations,
        sender: funds.kind === "account" ? funds.address : null,
        purpose: { asset: chainAsset(currencies.get(currency)), units: units.toString() },
        request: { payments, funds },
        leaves: amount,
        draft,
      },
      clock.now(),
    ),
  );
  return opened.kind === "created";
}

/**
 * Drafts the payment, or a smaller one where its coins do not fit into one transaction: later runs move the rest. Null if nothing
 * worth a transaction can be moved.
 */
async function draftWhatFits(
  context: MoveContext,
  { address, amount, least }: ColdMove,
  funds: Funds,
  signal: AbortSignal,
): Promise<{
  readonly draft: Draft;
  readonly payments: readonly Payment[];
  readonly amount: Money;
} | null> {
  const { logger, chain } = context;
  const { writer } = chain;
  const settings = { ...defaultSpendSettings, feeCeiling: context.feeCeiling };
  const { currency } = amount;
  let { units } = amount;
  for (let tried = 1; ; tried += 1) {
    const payments = [{ destination: address, amount: money(units, currency) }];
    const feeCeiling = await findFeeCeiling({ writer, settings }, payments, funds, signal);
    const outcome = await writer.draft(
      { payments, funds, feeTarget: null, feeCeiling, replaces: null },
      signal,
    );
    if (outcome.kind === "draft")
      return { draft: outcome.draft, payments, amount: money(units, currency) };
    const smaller = smallerAmount(money(units, currency), outcome, funds);
    if (smaller === null || smaller <= 0n || smaller < least || tried === draftsMax) {
      logger.warn("money above the ceiling is not moved to the cold address", {
        chain: chain.chain,
        currency,
        units: units.toString(),
        outcome: outcome.kind,
      });
      return null;
    }
    units = smaller;
  }
}

/** What to try after a refusal; null if a smaller amount does not help. */
function smallerAmount(
  { currency, units }: Money,
  outcome: Exclude<DraftOutcome, { readonly kind: "draft" }>,
  { kind }: Funds,
): bigint | null {
  switch (outcome.kind) {
    case "tooExpensive":
      return null;
    case "impossible":
      return kind === "coins" ? units / 2n : null;
    case "insufficient": {
      if (outcome.currency !== currency) return null;
      // Without a margin, a fee that is a little above the estimate (Monero's wallet) would leave too little again each time.
      const rest = units - outcome.missing - units / 20n;
      return rest > 0n ? rest : units / 2n;
    }
  }
}
