import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { classicAddress } from "../../currencies/xrpl-address.ts";
import { present } from "../../platform/kernel/assert.ts";
import { creditLine, issuedIn, lineBalance, scaled, valueText } from "./issued-currency.ts";
import {
  type AccountRoot,
  type Amm,
  type Asset,
  accountFlags,
  ammKey,
  type IssuedAmount,
  orderedAssets,
  poolTokenCode,
} from "./objects.ts";
import { reserveOf } from "./settings.ts";
import { accountIn, addDrops, type Draft, putAccount } from "./state.ts";
import {
  dropsIn,
  type Execution,
  hasUnknownFlags,
  numberIn,
  type Transactor,
} from "./transactor.ts";

/*
 * Pools of XRP and a currency that their creator issues (XLS-30), from which payments of that issuer take XRP, and pools of two such currencies,
 * whose accounts have no XRP. What a pool holds on either side only ever multiplies to more: results are rounded in its favor.
 */

/** Trading fees are in units of a thousandth of a percent. */
const feeUnit = 100_000n;
const tradingFeeMax = 1_000;

type Pool = {
  readonly account: AccountRoot;
  readonly drops: bigint;
  /** In billionths. */
  readonly value: bigint;
  /** What of an amount that is paid in is traded, as a part of `feeUnit`. */
  readonly traded: bigint;
};

/** Creates a pool and the account that holds it. */
export const ammCreate: Transactor = {
  malformed: (json) => {
    if (hasUnknownFlags(json, 0)) return "temINVALID_FLAG";
    const fee = numberIn(json, "TradingFee");
    if (fee === null || fee > tradingFeeMax) return "temBAD_FEE";
    const sides = sidesIn(json);
    if (sides === null) return "temDISABLED";
    if (sides.some(({ issuer }) => issuer !== undefined && issuer !== json.Account))
      return "temDISABLED";
    if (isSameAsset(...sides)) return "temBAD_AMM_TOKENS";
    return sides.every(({ size }) => size > 0n) ? null : "temBAD_AMOUNT";
  },
  execute: (execution) => {
    const { draft, json, priorBalance, settings } = execution;
    const creator = accountIn(draft, json.Account);
    const sides = sidesIn(json);
    if (creator === null || sides === null) return { result: "tecUNFUNDED_AMM" };
    if ((creator.Flags & accountFlags.defaultRipple) === 0) return { result: "terNO_RIPPLE" };
    const key = ammKey(orderedAssets(sides));
    if (draft.get(key) !== null) return { result: "tecDUPLICATE" };
    if (priorBalance < reserveOf(settings, creator.OwnerCount + 1))
      return { result: "tecINSUF_RESERVE_LINE" };
    const spare = BigInt(creator.Balance) - reserveOf(settings, creator.OwnerCount + 1);
    if (spare < dropsOf(sides)) return { result: "tecUNFUNDED_AMM" };
    putPool(execution, key, creator, sides);
    return { result: "tesSUCCESS" };
  },
};

/** What a pool begins with of one asset. */
type Side = Asset & {
  /** Drops, or billionths of an issued currency. */
  readonly size: bigint;
};

/** Both amounts; null if one is missing. */
function sidesIn(json: Execution["json"]): readonly [Side, Side] | null {
  const [first, second] = ["Amount", "Amount2"].map((name): Side | null => {
    const [drops, issued] = [dropsIn(json, name), issuedIn(json, name)];
    if (drops !== null) return { currency: "XRP", size: drops };
    if (issued === null) return null;
    const { currency, issuer, value } = issued;
    return { currency, issuer, size: scaled(value) };
  });
  return first == null || second == null ? null : [first, second];
}

function isSameAsset(one: Asset, other: Asset): boolean {
  return one.currency === other.currency && one.issuer === other.issuer;
}

function dropsOf(sides: readonly Side[]): bigint {
  return sides.find(({ issuer }) => issuer === undefined)?.size ?? 0n;
}

function putPool(
  { draft, json, ledgerIndex }: Execution,
  key: string,
  creator: AccountRoot,
  sides: readonly [Side, Side],
): void {
  const Account = poolAccount(key);
  const drops = dropsOf(sides);
  const unthreaded = { PreviousTxnID: "", PreviousTxnLgrSeq: 0 };
  putAccount(draft, {
    LedgerEntryType: "AccountRoot",
    Account,
    AMMID: key,
    Balance: String(drops),
    Flags: accountFlags.disableMaster | accountFlags.defaultRipple | accountFlags.depositAuth,
    OwnerCount: 1,
    Sequence: ledgerIndex,
    ...unthreaded,
  });
  for (const { currency, issuer, size } of sides)
    if (issuer !== undefined)
      creditLine(draft, Account, { currency, issuer, value: valueText(size) });
  const assets = orderedAssets(sides);
  const tokens = { currency: poolTokenCode(assets), issuer: Account, value: sharesOf(sides) };
  const [Asset, Asset2] = assets.map(assetOf);
  draft.put(key, {
    LedgerEntryType: "AMM",
    Account,
    Asset: present(Asset, "the first asset"),
    Asset2: present(Asset2, "the second asset"),
    LPTokenBalance: tokens,
    TradingFee: numberIn(json, "TradingFee") ?? 0,
    Flags: 0,
    ...unthreaded,
  });
  creditLine(draft, creator.Account, tokens);
  const charged = addDrops(draft, creator, -drops);
  putAccount(draft, { ...charged, OwnerCount: charged.OwnerCount + 1 });
}

function assetOf({ currency, issuer }: Asset): Asset {
  return issuer === undefined ? { currency } : { currency, issuer };
}

/** The value of a new pool's shares: the square root of the product of both amounts, drops counted whole. */
function sharesOf(sides: readonly [Side, Side]): string {
  const [first, second] = sides.map(({ issuer, size }) =>
    issuer === undefined ? size * 1_000_000_000n : size,
  );
  return valueText(squareRoot(present(first, "one") * present(second, "other")));
}

/** A pool's account has no key: its address follows from the pool's own key. */
function poolAccount(key: string): string {
  return classicAddress(ripemd160(sha256(Buffer.from(key, "hex"))));
}

function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

/** Takes at most so many drops for at most that value out of the pool of a currency; nothing if there is none. */
export function takeFromPool(
  draft: Draft,
  paid: Pick<IssuedAmount, "currency" | "issuer">,
  most: { readonly units: bigint; readonly value: bigint },
): { readonly units: bigint; readonly value: bigint } {
  const none = { units: 0n, value: 0n };
  const pool = poolOf(draft, paid);
  if (pool === null || most.units <= 0n || most.value <= 0n) return none;
  const exact = most.units < pool.drops ? valueFor(pool, most.units) : null;
  const taken =
    exact !== null && exact <= most.value
      ? { units: most.units, value: exact }
      : { units: unitsFor(pool, most.value), value: most.value };
  if (taken.units === 0n) return none;
  creditLine(draft, pool.account.Account, { ...paid, value: valueText(taken.value) });
  addDrops(draft, present(accountIn(draft, pool.account.Account), "the pool"), -taken.units);
  return taken;
}

function poolOf(draft: Draft, paid: Pick<IssuedAmount, "currency" | "issuer">): Pool | null {
  const amm = draft.get(ammKey([{ currency: "XRP" }, paid]));
  if (!isAmm(amm)) return null;
  const account = present(accountIn(draft, amm.Account), "the pool's account");
  return {
    account,
    drops: BigInt(account.Balance),
    value: lineBalance(draft, amm.Account, paid),
    traded: feeUnit - BigInt(amm.TradingFee),
  };
}

function isAmm(object: { readonly LedgerEntryType: string } | null): object is Amm {
  return object?.LedgerEntryType === "AMM";
}

/** What comes out for a value that goes in, rounded down. */
function unitsFor({ drops, value, traded }: Pool, paid: bigint): bigint {
  return (drops * paid * traded) / (value * feeUnit + paid * traded);
}

/** What has to go in for what comes out, rounded up. */
function valueFor({ drops, value, traded }: Pool, units: bigint): bigint {
  const divisor = (drops - units) * traded;
  return (value * units * feeUnit + divisor - 1n) / divisor;
}
