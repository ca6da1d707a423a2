/** Which coins and which priority a payment gets, and what the errors of the wallet program mean, with a wallet program that is made up. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type FakeMoneroWallet,
  imageOf,
  startFakeMoneroWallet,
} from "../../../../test/support/fake-monero-wallet.ts";
import { xmr } from "../../../../test/support/monero-adapter.ts";
import { buildTransaction } from "../../../../test/support/monero-builder.ts";
import addresses from "../../../../test/vectors/monero-addresses.json" with { type: "json" };
import { money } from "../../../platform/kernel/money.ts";
import { Unavailable } from "../../../platform/kernel/unavailable.ts";
import type { Coin, DraftOutcome, DraftRequest, Payment } from "../../paying-port.ts";
import type { AskMonerod, MonerodNode } from "../monerod-node.ts";
import type { LocatedTransaction } from "../questions.ts";
import { readTransaction } from "../transaction.ts";
import { draftSpend } from "./draft-spend.ts";
import { type FeeRates, feeAt, inputsMax, type Priority, priorities, weightOf } from "./fee.ts";
import { quotePayment } from "./quote-payment.ts";

const { signal } = new AbortController();
/** As on the main network in 2026: the medium priority costs four times the lowest, and the high one five times that. */
const rates: FeeRates = { low: 20_000n, medium: 80_000n, high: 400_000n, step: 10_000n };
const coin = 1_000_000_000_000n;
const change = { address: "", addressType: "", keyIndex: 0 };

let wallet: FakeMoneroWallet;
let located: Map<string, LocatedTransaction>;
let refused: Set<string>;
beforeEach(async () => {
  located = new Map();
  refused = new Set();
  wallet = await startFakeMoneroWallet();
  await wallet.viewWallet.use(() => Promise.resolve(), signal);
  wallet.draft = (inputs, priority) => ({ fee: feeOf(namedPriority(priority), inputs) });
});
afterEach(() => wallet.close());

const feeOf = (priority: Priority, inputs: number): bigint =>
  feeAt(rates, priority, weightOf(inputs, 2));
const namedPriority = (number: number): Priority =>
  (Object.keys(priorities) as Priority[]).find((name) => priorities[name] === number)!;

/** Coins that both wallets know. */
function receive(amounts: readonly bigint[]): readonly Coin[] {
  return amounts.map((units, place) => {
    const key = (place + 1).toString(16).padStart(64, "0");
    wallet.mine({ txid: key, key, minor: 1, isRefused: false, isKnown: true });
    const outpoint = `${key}:0`;
    return { claim: imageOf(key), outpoint, units, branch: 0, keyIndex: 0, addressType: "" };
  });
}

/** A coin in a transaction that also pays a stranger. */
function receiveWithOther({
  units,
  invalidOutputKeys = [],
  isRefused = false,
  isFound = true,
}: {
  readonly units: bigint;
  readonly invalidOutputKeys?: readonly number[];
  readonly isRefused?: boolean;
  readonly isFound?: boolean;
}): Coin {
  const { oneTimeKeys, prunableHash, prunedHex, txid } = buildTransaction({
    secret: 9_000n + BigInt(located.size),
    outputs: [
      { address: addresses.wallet.subaddresses[1]!.address, units },
      { address: addresses.valid[1]!.address, units: 7n },
    ],
    hasOutputKeys: true,
    invalidOutputKeys,
  });
  const bytes = Buffer.from(prunedHex, "hex");
  const transaction = readTransaction(bytes, Buffer.from(prunableHash, "hex"));
  located.set(txid, { transaction, height: 5 });
  const key = oneTimeKeys[0]!;
  if (isFound) wallet.mine({ txid, key, minor: 1, isRefused });
  const outpoint = `${txid}:0`;
  return { claim: imageOf(key), outpoint, units, branch: 0, keyIndex: 0, addressType: "" };
}

/** It has the transactions, and nothing is spent. */
const node = {
  consult: (use: (ask: AskMonerod) => Promise<unknown>) =>
    use((({ path }: { readonly path: string }) =>
      Promise.resolve(
        path === "/is_key_image_spent" ? ["unspent"] : { first: [], located },
      )) as unknown as AskMonerod),
} as unknown as MonerodNode;

const paymentOf = (units: bigint): Payment => ({
  destination: { address: "5".repeat(95), addressType: null, tag: null },
  amount: money(units, xmr),
});

function draft(
  coins: readonly Coin[],
  units: bigint,
  more: Partial<DraftRequest> = {},
): Promise<DraftOutcome> {
  const { claimCoins, viewWallet } = wallet;
  const source = { node, wallet: viewWallet, claimCoins, refused };
  return draftSpend(
    { ...source, currency: xmr, primaryAddress: "4".repeat(95) },
    rates,
    {
      payments: [paymentOf(units)],
      funds: { kind: "coins", coins, change },
      feeTarget: null,
      feeCeiling: coin,
      replaces: null,
      ...more,
    },
    signal,
  );
}

async function drafted(...request: Parameters<typeof draft>) {
  const outcome = await draft(...request);
  if (outcome.kind !== "draft") throw new Error(`no draft: ${outcome.kind}`);
  return outcome.draft;
}

const equal = (count: number): readonly Coin[] =>
  receive(Array.from({ length: count }, () => coin));

describe("the priority", () => {
  it.each([1, 4, 8, 20, 60])("costs what was quoted for it, with %i coins", async (inputs) => {
    const coins = equal(inputs);
    const units = BigInt(inputs) * coin - coin / 2n;
    const funds = { kind: "coins", coins, change } as const;
    const quote = quotePayment(xmr, rates, {
      balance: 100n * coin,
      funds,
      payment: paymentOf(units),
    });
    for (const feeTarget of [quote.low, quote.medium, quote.high]) {
      const { claims, feeUnits } = await drafted(coins, units, { feeTarget });
      expect(claims).toHaveLength(inputs);
      expect(feeUnits).toBe(feeTarget);
    }
    const between = await drafted(coins, units, { feeTarget: quote.high - 1n });
    expect(between.feeUnits).toBe(quote.medium);
    expect((await drafted(coins, units)).feeUnits).toBe(quote.medium);
  });

  it("is a slower one where a faster one would take a coin that the charge does not pay for", async () => {
    const coins = equal(2);
    // One coin covers the medium fee, and not the high one.
    const units = coin - feeOf("medium", 1) - 1n;
    const { claims, feeUnits } = await drafted(coins, units, { feeTarget: feeOf("high", 1) });
    expect([claims.length, feeUnits]).toEqual([1, feeOf("medium", 1)]);
  });

  it("is too expensive above the ceiling, for all coins together", async () => {
    const coins = equal(30);
    const feeCeiling = feeOf("low", 30) - 1n;
    const outcome = await draft(coins, 30n * coin - coin / 2n, { feeTarget: 1n, feeCeiling });
    expect(outcome).toEqual({ kind: "tooExpensive", feeUnits: feeOf("low", 30) });
  });
});

it("says what is missing where a payment would take more coins than fit into a transaction", async () => {
  const coins = equal(150);
  const units = 140n * coin;
  const most = BigInt(inputsMax) * coin - feeOf("medium", inputsMax);
  expect(await draft(coins, units)).toEqual({
    kind: "insufficient",
    currency: xmr,
    missing: units - most,
  });
  expect((await drafted(coins, most - 1n)).claims).toHaveLength(inputsMax);
});

describe("an error of the wallet program", () => {
  it.each([-16, -17, -37])("%i has it take one more coin", async (code) => {
    const coins = equal(4);
    const { draft: usual } = wallet;
    wallet.draft = (inputs, priority) => (inputs < 3 ? code : usual(inputs, priority));
    expect((await drafted(coins, coin / 2n)).claims).toHaveLength(3);
    wallet.draft = () => code;
    expect(await draft(coins, coin / 2n)).toMatchObject({ kind: "insufficient" });
  });

  it.each([-2, -5, -20, -46])("%i is the payment's own", async (code) => {
    wallet.draft = () => code;
    const outcome = await draft(equal(2), coin / 2n);
    expect(outcome).toEqual({ kind: "impossible", reason: `transfer: code ${code}` });
  });

  it.each([-1, -3, -4, -13, -19, -38])("%i says nothing about the payment", async (code) => {
    wallet.draft = () => code;
    await expect(draft(equal(2), coin / 2n)).rejects.toThrow(Unavailable);
  });
});

it("drafts again if the wallet found an output in between, which the set would contain", async () => {
  const coins = equal(2);
  const key = "f".repeat(64);
  let drafts = 0;
  wallet.afterDraft = () => {
    drafts += 1;
    if (drafts > 1) return;
    wallet.mine({ txid: key, key, minor: 1, isRefused: false });
    wallet.readChain();
  };
  expect((await drafted(coins, coin / 2n)).claims).toHaveLength(1);
  expect(drafts).toBe(2);
});

describe("a coin with a key image, once the wallet has lost its file", () => {
  it("is spent whatever key its transaction has for another output", async () => {
    const lost = receiveWithOther({ units: coin, invalidOutputKeys: [1] });
    wallet.loseFiles();
    expect((await drafted([lost], coin / 2n)).claims).toEqual([lost.claim]);
    expect((await drafted([lost], coin / 2n)).claims).toEqual([lost.claim]);
    expect(wallet.shown).toEqual([lost.outpoint?.split(":")[0]]);
  });

  it("is left out if the signer's wallet refuses its transaction", async () => {
    const bad = receiveWithOther({ units: 3n * coin, isRefused: true });
    const [other, third] = [2n, 1n].map((times) => receiveWithOther({ units: times * coin }));
    const coins = [bad, other!, third!];
    wallet.loseFiles();
    const both = await drafted(coins, (5n * coin) / 2n);
    expect(both.claims).toEqual([other?.claim, third?.claim]);
    expect([...refused]).toEqual([bad.outpoint?.split(":")[0]]);
    const [files, shown] = [wallet.files().length, wallet.shown.length];
    expect((await drafted(coins, coin + coin / 2n)).claims).toEqual([other?.claim]);
    expect([wallet.files().length, wallet.shown.length]).toEqual([files, shown]);
    expect(await draft(coins, 4n * coin)).toMatchObject({ kind: "insufficient" });
  });

  it("is left out if the wallet does not find it, unless it is of a lost transaction", async () => {
    const unseen = receiveWithOther({ units: 2n * coin, isFound: false });
    const other = receiveWithOther({ units: coin });
    const coins = [unseen, other];
    wallet.loseFiles();
    const made = await drafted(coins, coin / 2n);
    expect(made.claims).toEqual([other.claim]);
    expect(await draft(coins, 2n * coin)).toMatchObject({ kind: "insufficient" });
    const replaces = { ...made, claims: [unseen.claim] };
    await expect(draft(coins, coin / 2n, { replaces })).rejects.toThrow(Unavailable);
  });
});
