import { assert } from "../../../platform/kernel/assert.ts";
import type { CurrencyId } from "../../../platform/kernel/money.ts";
import { Unavailable } from "../../../platform/kernel/unavailable.ts";
import type { Coin, Draft, DraftOutcome, DraftRequest } from "../../paying-port.ts";
import { RpcError } from "../../rpc/node-error.ts";
import { statesOfKeyImages } from "../questions.ts";
import {
  type FeeRates,
  feeAt,
  inputsMax,
  largestFirst,
  missingFor,
  type Priority,
  priorities,
  selectCoins,
  weightOf,
  worthwhile,
} from "./fee.ts";
import {
  findRefused,
  isRefused,
  type KeyImageSource,
  minorOf,
  showAgain,
} from "./read-key-images.ts";
import { type AskWallet, OutputsRefused } from "./view-wallet.ts";
import {
  draftMerge,
  draftTransfer,
  freeze,
  outputsOf,
  type UnsignedSet,
  type WalletOutput,
} from "./wallet-questions.ts";

export type DraftSource = KeyImageSource & {
  readonly currency: CurrencyId;
  /** The account's own address, to which everything returns that is not paid. */
  readonly primaryAddress: string;
};

/**
 * Drafts a transaction in the view-only wallet. The wallet chooses coins by itself, so all others are frozen, and it is left only as many as it
 * needs. Coins that one of the wallets lacks are left out. Throws `Unavailable` when the wallet does not answer, or lacks coins of the lost
 * transaction.
 */
export async function draftSpend(
  source: DraftSource,
  rates: FeeRates,
  request: DraftRequest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  const { funds, payments, replaces } = request;
  assert(funds.kind === "coins", "the chain is paid from coins");
  assert(
    payments.every(({ amount }) => amount.currency === source.currency),
    "the chain pays one currency",
  );
  if (replaces !== null && !(await isGone(source, replaces, signal)))
    return { kind: "impossible", reason: "nodes of this chain replace no transaction" };
  const pinned = new Set(replaces?.claims ?? []);
  const coins = funds.coins.filter(({ claim }) => pinned.size === 0 || pinned.has(claim));
  if (pinned.size > coins.length)
    return { kind: "impossible", reason: "coins of the lost transaction are missing" };
  const lowest = feeFor(rates, "low", 1, payments.length);
  if (lowest > request.feeCeiling) return { kind: "tooExpensive", feeUnits: lowest };
  const draft = (usable: readonly Coin[]): Promise<DraftOutcome> =>
    source.wallet.use(
      (ask) =>
        payments.length === 0
          ? merge(ask, source, worthwhile(usable, rates, "low"), request, signal)
          : pay(ask, source, usable, request, rates, signal),
      signal,
    );
  // A replacement spends the coins of what it replaces and no others.
  return replaces === null ? draftAround(source, coins, draft, signal) : draft(coins);
}

/** The view-only wallet does not show coins, although it was shown them. */
class CoinsMissing extends Unavailable {
  readonly claims: ReadonlySet<string>;

  constructor(claims: readonly string[]) {
    super("wallet", "the view-only wallet does not show the coins to spend");
    this.claims = new Set(claims);
  }
}

/** So often, a draft is made again without coins. Should the wallet show none at all, not every one is asked for. */
const attemptsMax = 20;

/**
 * Drafts from the coins that both wallets take: coins are chosen by their amounts, so one that is not among them would be chosen again for ever, and
 * stop payments for which the others suffice.
 */
async function draftAround(
  source: DraftSource,
  coins: readonly Coin[],
  draft: (usable: readonly Coin[]) => Promise<DraftOutcome>,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  let usable: readonly Coin[] = coins.filter((coin) => !isRefused(source, coin));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await draft(usable);
    } catch (error) {
      const left = await withoutUnusable(source, usable, error, signal);
      if (left.length === usable.length || attempt === attemptsMax) throw error;
      usable = left;
    }
  }
}

/** The coins without those that the error is about. */
async function withoutUnusable(
  source: DraftSource,
  coins: readonly Coin[],
  error: unknown,
  signal: AbortSignal,
): Promise<readonly Coin[]> {
  if (error instanceof CoinsMissing) return coins.filter(({ claim }) => !error.claims.has(claim));
  if (!(error instanceof OutputsRefused)) return coins;
  await findRefused(source, error.coins, signal);
  return coins.filter((coin) => !isRefused(source, coin));
}

/**
 * Whether no node will include the replaced transaction any more: it is neither pending nor in a block, such as after a reorg that moved the
 * outputs its rings name. Should it come back, the key images that both spend keep one of them out.
 */
async function isGone(
  { node }: DraftSource,
  { claims }: Draft,
  signal: AbortSignal,
): Promise<boolean> {
  const states = await node.consult((ask) => ask(statesOfKeyImages(claims)), signal);
  return states.every((state) => state === "unspent");
}

function feeFor(rates: FeeRates, priority: Priority, inputs: number, payments: number): bigint {
  return feeAt(rates, priority, weightOf(inputs, Math.max(payments, 1) + 1));
}

/** The coins of a payment, and the priority at which they pay its fee. */
type Choice = { readonly priority: Priority; readonly coins: readonly Coin[] };

/**
 * The coins at the fastest priority whose fee for so many coins the charge pays for, else at the lowest; without a charge, at the medium one.
 * How many coins it takes matters: with eight, the medium priority costs more than the highest with one. Otherwise what is missing.
 */
function choose(
  coins: readonly Coin[],
  { feeTarget, payments }: DraftRequest,
  rates: FeeRates,
  least: number,
): Choice | { readonly missing: bigint } {
  const paid = payments.reduce((sum, { amount }) => sum + amount.units, 0n);
  const feeWith = (priority: Priority, inputs: number): bigint =>
    feeFor(rates, priority, inputs, payments.length);
  const at = (priority: Priority): Choice | null => {
    const chosen = selectCoins(coins, (inputs) => paid + feeWith(priority, inputs), least);
    return chosen === null || chosen.length > inputsMax ? null : { priority, coins: chosen };
  };
  const isCharged = (choice: Choice): boolean =>
    feeTarget !== null && feeWith(choice.priority, choice.coins.length) <= feeTarget;
  const fastest = (["high", "medium"] as const)
    .flatMap((priority) => at(priority) ?? [])
    .find(isCharged);
  const usual = feeTarget === null ? "medium" : "low";
  return (
    fastest ??
    at(usual) ?? { missing: missingFor(coins, (inputs) => paid + feeWith(usual, inputs)) }
  );
}

async function pay(
  ask: AskWallet,
  source: DraftSource,
  coins: readonly Coin[],
  request: DraftRequest,
  rates: FeeRates,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  const { feeCeiling, payments, replaces } = request;
  const paid = payments.reduce((sum, { amount }) => sum + amount.units, 0n);
  let least = replaces?.claims.length ?? 1;
  for (;;) {
    const choice = choose(coins, request, rates, least);
    if ("missing" in choice)
      return { kind: "insufficient", currency: source.currency, missing: choice.missing };
    const { coins: chosen, priority } = choice;
    const expected = feeFor(rates, priority, chosen.length, payments.length);
    if (expected > feeCeiling) return { kind: "tooExpensive", feeUnits: expected };
    const leave = (): Promise<void> => leaveOnly(ask, source, chosen, signal);
    const drafted = await undisturbed(ask, leave, () => transfer(ask, payments, priority));
    if (drafted.kind === "refused") return { kind: "impossible", reason: drafted.reason };
    if (drafted.kind === "set") {
      const { feeUnits } = drafted.set;
      if (feeUnits > feeCeiling) return { kind: "tooExpensive", feeUnits };
      // Without change the wallet pays nothing to an address that no one has, which the signer refuses.
      const change = chosen.reduce((sum, { units }) => sum + units, 0n) - paid - feeUnits;
      if (change > 0n) return { kind: "draft", draft: draftOf(drafted.set, chosen) };
    }
    // The wallet's estimate of the fee is above ours.
    least = chosen.length + 1;
  }
}

/* Errors of src/wallet/wallet_rpc_server_error_codes.h. */
const shortages: ReadonlySet<number> = new Set([
  -16, // TX_NOT_POSSIBLE: the fee is not covered.
  -17, // NOT_ENOUGH_MONEY
  -37, // NOT_ENOUGH_UNLOCKED_MONEY
]);
const faultsOfPayments: ReadonlySet<number> = new Set([
  -2, // WRONG_ADDRESS
  -5, // WRONG_PAYMENT_ID: two integrated addresses, for example.
  -20, // ZERO_DESTINATION
  -46, // ZERO_AMOUNT
]);

type Transferred =
  | { readonly kind: "set"; readonly set: UnsignedSet }
  /** It needs another coin. */
  | { readonly kind: "short" }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * The set, or why the wallet makes none of these payments from these coins. Any other error, such as one of its daemon, says nothing about them
 * and is rejected with.
 */
async function transfer(
  ask: AskWallet,
  payments: DraftRequest["payments"],
  priority: Priority,
): Promise<Transferred> {
  const named = payments.map(({ amount, destination }) => ({
    address: destination.address,
    units: amount.units,
  }));
  try {
    return { kind: "set", set: await ask(draftTransfer(named, priorities[priority])) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (shortages.has(error.code)) return { kind: "short" };
    if (faultsOfPayments.has(error.code)) return { kind: "refused", reason: error.message };
    throw error;
  }
}

/** Merges coins, each worth what moving it costs, into two. */
async function merge(
  ask: AskWallet,
  source: DraftSource,
  coins: readonly Coin[],
  { feeCeiling }: DraftRequest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  for (let count = Math.min(coins.length, inputsMax); count >= 2; count -= 1) {
    const moving = largestFirst(coins).slice(0, count);
    const minors = [...new Set(moving.map(minorOf))];
    const leave = (): Promise<void> => leaveOnly(ask, source, moving, signal);
    const drafted = await undisturbed(ask, leave, () =>
      ask(draftMerge(source.primaryAddress, minors, priorities.low)),
    );
    const { feeUnits, units } = drafted;
    if (feeUnits > feeCeiling) return { kind: "tooExpensive", feeUnits };
    const held = moving.reduce((sum, coin) => sum + coin.units, 0n);
    if (units + feeUnits === held) return { kind: "draft", draft: draftOf(drafted, moving) };
    // The wallet left out a coin that is dust by its own estimate, which may be newer than ours: the signer refuses other coins than stated.
  }
  return { kind: "impossible", reason: "fewer than two coins are worth what moving them costs" };
}

/**
 * What the wallet drafts from the coins that `leave` left it. It reads blocks at any time, and a set contains every output without a key
 * image, which the signer's wallet then has to take: the set is made again if one came in between.
 */
async function undisturbed<Drafted>(
  ask: AskWallet,
  leave: () => Promise<void>,
  draft: () => Promise<Drafted>,
): Promise<Drafted> {
  for (;;) {
    await leave();
    const drafted = await draft();
    const outputs = await ask(outputsOf("available"));
    if (areAllClaimed(outputs)) return drafted;
  }
}

/** Freezes every unspent output but these. Throws `CoinsMissing` if the wallet lacks some of them. */
async function leaveOnly(
  ask: AskWallet,
  source: DraftSource,
  coins: readonly Coin[],
  signal: AbortSignal,
): Promise<void> {
  const wanted = new Set(coins.map(({ claim }) => claim));
  let outputs = await ask(outputsOf("available"));
  if (lackedIn(outputs, wanted).length > 0 || !areAllClaimed(outputs)) {
    const shown = coins.flatMap(({ branch, keyIndex, outpoint }) =>
      outpoint === undefined ? [] : [{ branch, keyIndex, outpoint }],
    );
    await showAgain(source, ask, shown, signal);
    outputs = await ask(outputsOf("available"));
  }
  const lacked = lackedIn(outputs, wanted);
  if (lacked.length > 0) throw new CoinsMissing(lacked);
  // It could not be kept from spending an output without a key image.
  if (!areAllClaimed(outputs))
    throw new Unavailable("wallet", "the view-only wallet lacks key images");
  for (const { keyImage, isFrozen } of outputs) {
    if (keyImage === null) continue;
    const mayBeSpent = wanted.has(keyImage);
    if (isFrozen === mayBeSpent) await ask(freeze(keyImage, !mayBeSpent));
  }
}

/** Those of the key images that none of the outputs has. */
function lackedIn(
  outputs: readonly WalletOutput[],
  wanted: ReadonlySet<string>,
): readonly string[] {
  const shown = new Set(outputs.map(({ keyImage }) => keyImage));
  return [...wanted].filter((claim) => !shown.has(claim));
}

function areAllClaimed(outputs: readonly WalletOutput[]): boolean {
  return outputs.every(({ keyImage }) => keyImage !== null);
}

function draftOf({ feeUnits, unsigned }: UnsignedSet, coins: readonly Coin[]): Draft {
  const keyImages = coins.map(({ claim }) => claim);
  return {
    body: { unsigned, feeUnits: feeUnits.toString(), keyImages },
    claims: keyImages,
    feeUnits,
    validity: null,
  };
}
