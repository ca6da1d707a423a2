import { builtInCurrencies } from "../currencies/built-in-currencies.ts";
import type { ChainId, Currency } from "../currencies/currency.ts";
import { parseDecimal } from "../platform/kernel/decimal.ts";
import { reject } from "../platform/kernel/rejection.ts";
import type { ChainPayer, ReorgTransactions, Tip } from "./chain-payer.ts";

/** The payer and the miner of one private chain of a sandbox. */
export type Faucet = {
  /**
   * Sends an exact decimal amount of the chain's coin or of one of its test tokens and resolves with the id of the pending
   * transaction. Rejects with `invalidValue` for a currency of another chain, for an amount that is not a positive number or
   * has more digits than the currency, and with `RpcError` for what the node refuses.
   */
  readonly pay: (
    currencyAlpha: string,
    address: string,
    amount: string,
    tag?: string | null,
  ) => Promise<string>;
  /** As `pay`, the same amount so many times. */
  readonly payPieces: (
    currencyAlpha: string,
    address: string,
    amount: string,
    pieces: number,
    tag: string | null,
  ) => Promise<void>;
  /** Mines 1 to 1000 blocks now; resolves with the new tip. */
  readonly mine: (count: number) => Promise<Tip>;
  /** Replaces the newest `depth` blocks by others; resolves with the new tip. Rejects with `invalidValue` if that is too deep. */
  readonly reorg: (depth: number, transactions: ReorgTransactions) => Promise<Tip>;
  readonly tip: () => Promise<Tip>;
  readonly close: () => Promise<void>;
};

const blocksMax = 1000;

/** The faucet of a chain, whose payer is loaded when it is first used. It closes the payer. */
export function loadFaucet(chainId: ChainId, loadPayer: () => Promise<ChainPayer>): Faucet {
  let loading: Promise<Faucet> | null = null;
  const load = (): Promise<Faucet> =>
    (loading ??= loadPayer().then((payer) => createFaucet(chainId, payer)));
  return {
    pay: async (...payment) => await (await load()).pay(...payment),
    payPieces: async (...payment) => {
      await (await load()).payPieces(...payment);
    },
    mine: async (count) => await (await load()).mine(count),
    reorg: async (depth, transactions) => await (await load()).reorg(depth, transactions),
    tip: async () => await (await load()).tip(),
    close: async () => {
      await (await loading)?.close();
    },
  };
}

/** Creates the faucet of a chain. It closes the payer. */
export function createFaucet(chainId: ChainId, payer: ChainPayer): Faucet {
  return {
    pay: async (alpha, address, amount, tag = null) => {
      const currency = currencyOf(chainId, alpha);
      return await payer.pay(currency, address, unitsOf(currency, amount), tag);
    },
    payPieces: async (alpha, address, amount, pieces, tag) => {
      const currency = currencyOf(chainId, alpha);
      const units = unitsOf(currency, amount);
      if (currency.kind === "coin" && tag === null && payer.payPieces !== undefined && pieces > 1) {
        await payer.payPieces(address, units, pieces);
        return;
      }
      for (let paid = 0; paid < pieces; paid += 1) await payer.pay(currency, address, units, tag);
    },
    mine: async (count) => {
      if (!Number.isSafeInteger(count) || count < 1 || count > blocksMax)
        reject("invalidValue", `Mine between 1 and ${blocksMax} blocks at a time.`);
      await payer.mine(count);
      return await payer.tip();
    },
    reorg: async (depth, transactions) => {
      const { height } = await payer.tip();
      const deepest = Math.min(payer.reorgDepthMax, height - 1);
      if (!Number.isSafeInteger(depth) || depth < 1 || depth > deepest)
        reject("invalidValue", `A reorg of ${chainId} can replace 1 to ${deepest} blocks here.`);
      await payer.reorg(depth, transactions);
      return await payer.tip();
    },
    tip: payer.tip,
    close: payer.close,
  };
}

function currencyOf(chainId: ChainId, alpha: string): Currency {
  const currency = builtInCurrencies.find((candidate) => candidate.alpha === alpha);
  if (currency?.chain !== chainId)
    reject("invalidValue", `The chain ${chainId} has no currency ${alpha}.`);
  return currency;
}

function unitsOf({ alpha, exp }: Currency, amount: string): bigint {
  const parsed = parseDecimal(amount, exp);
  if (parsed.kind === "excessDigits")
    reject("invalidValue", `"${amount}" has too many digits: ${alpha} has ${exp} decimals.`);
  if (parsed.kind === "malformed")
    reject("invalidValue", `Invalid amount "${amount}". Use a number such as 0.25.`);
  if (parsed.units <= 0n) reject("amountNotPositive", "The amount must be greater than zero.");
  return parsed.units;
}
