import { Address, beginCell, Cell, internal, toNano } from "@ton/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Draft,
  FeesTooHigh,
  type Payment,
  type SpendStatus,
} from "../../src/chains/paying-port.ts";
import type { BlockContent, BlockRef, Transfer } from "../../src/chains/port.ts";
import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import { createQuoteFees } from "../../src/payouts/create/create-quote-fees.ts";
import { reserveFaults } from "../../src/payouts/create/reserve-faults.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import { type HttpGateway, startHttpGateway } from "../support/http-gateway.ts";
import { type PrivateTon, startPrivateTon } from "../support/private-ton.ts";
import {
  type ConnectedTon,
  coin,
  connectTon,
  dollar,
  keysOf,
  sign,
  signal,
} from "../support/ton-accounts.ts";

/*
 * The traps of TON against the simulated network: what counts as a deposit, and what became of a payment. Every test reads all blocks, and
 * after every block what they brought, took and charged must equal the balances that the network reports.
 */

const keys = keysOf(7);
let network: PrivateTon;
let client: ConnectedTon;
let hot: Address;
let master: string;
let read = 1;

beforeAll(async () => {
  network = await startPrivateTon();
  master = present(network.ton.tokens["USDT-TON"], "the test dollar");
  client = connectTon([network.ton.url], keys, { master });
  hot = Address.parse(client.hot);
});
afterAll(async () => {
  await client.close();
  await network.stop();
});

const books = new Map([
  [coin, 0n],
  [dollar, 0n],
]);
/** Changes the network's prices, in percent of the main network's; the next client has not read the former ones. */
async function changePrices(percent: { readonly gas?: number; readonly forwarding?: number }) {
  await network.control("/set-prices", percent);
  await network.mine(1);
  await client.close();
  client = connectTon([network.ton.url], keys, { master });
}

/** The payments of our transactions. */
const sent = new Map<string, readonly Payment[]>();

/** Reads the blocks since the last call, and compares the books with the network after each. */
async function follow(): Promise<readonly BlockContent[]> {
  const { reader, addressing } = client.adapter;
  const tip = await reader.tip(signal);
  const contents: BlockContent[] = [];
  for (; read <= tip.height; read += 1) {
    const header = present(await reader.headerAt(read, signal), "a header");
    const content = present(await reader.readBlock(header, signal), "its content");
    contents.push(content);
    for (const { asset } of content.transfers)
      if (asset.kind === "currency") book(asset.amount.currency, asset.amount.units);
    for (const { amount } of content.charges ?? []) book(amount.currency, -amount.units);
    const receipts = present(await reader.receiptsIn([...sent.keys()], header, signal), "receipts");
    const outgoing = content.spends.transactionsFrom(
      new Set([addressing.watchKey(addressing.treasury.hot)]),
    );
    for (const { txid, feeUnits, hasSucceeded, payments } of receipts) {
      book(coin, -(feeUnits ?? 0n));
      expect(outgoing.map((one) => one.txid)).toContain(txid);
      const shared = hasSucceeded ? "made" : "refused";
      for (const [place, { amount }] of present(sent.get(txid), "its payments").entries())
        if ((payments?.[place] ?? shared) === "made") book(amount.currency, -amount.units);
    }
    for (const [currency, units] of books)
      expect(
        await reader.balancesAt([client.hot], currency, header.hash, signal),
        `currency ${currency} after block ${read}`,
      ).toEqual([units]);
  }
  return contents;
}

function book(currency: typeof coin, units: bigint): void {
  books.set(currency, (books.get(currency) ?? 0n) + units);
}

async function received(): Promise<readonly [string, string, bigint][]> {
  const transfers = (await follow()).flatMap((content): readonly Transfer[] => content.transfers);
  return transfers.map(({ asset, to }) => {
    if (asset.kind !== "currency") throw new Error("an unlisted asset");
    return [to.slice(client.hot.length), asset.amount.currency, asset.amount.units];
  });
}

/** The hash of an account's newest transaction. */
async function newestOf(account: Address): Promise<string> {
  const [newest] = await network.client.getTransactions(account, { limit: 1 });
  return present(newest, "a transaction").hash().toString("hex");
}

const comment = (text: string): Cell =>
  beginCell().storeUint(0, 32).storeStringTail(text).endCell();

let number = 0n;

function paymentOf(to: string, units: bigint, currency = coin, tag: string | null = null): Payment {
  const destination = present(client.adapter.addressing.parse(to, tag), "a payee");
  return { destination, amount: { units, currency } };
}

type Sent = { readonly status: () => Promise<SpendStatus>; readonly draft: Draft };

function pay(to: string, units: bigint, currency = coin, tag: string | null = null): Promise<Sent> {
  return payTogether([paymentOf(to, units, currency, tag)]);
}

async function payTogether(payments: readonly Payment[]): Promise<Sent> {
  const writer = present(client.adapter.writer, "a writer");
  const outcome = await writer.draft(
    {
      payments,
      funds: { kind: "account", address: client.hot, sequence: number },
      feeTarget: null,
      feeCeiling: toNano("10"),
      replaces: null,
    },
    signal,
  );
  number += 1n;
  if (outcome.kind !== "draft") throw new Error(outcome.kind);
  const { draft } = outcome;
  const { raw, txid } = sign(draft, payments, keys);
  sent.set(txid, payments);
  expect(await writer.broadcast(raw, signal)).toEqual({ kind: "accepted" });
  return { draft, status: () => writer.status(txid, draft, signal) };
}

describe("money that reaches the hot account of TON", () => {
  it("counts under its comment, before and after the account has code", async () => {
    await network.pay(hot, toNano("20"), "1000000010");
    await network.pay(hot, toNano("1"));
    await network.pay(hot, toNano("1"), ` ${"long ".repeat(40)}`);
    expect(await received()).toEqual([
      [":1000000010", coin, toNano("20")],
      ["", coin, toNano("1")],
      [`:${"long ".repeat(40).trim()}`, coin, toNano("1")],
    ]);
  });

  it("does not count if it bounced, because there was no code yet", async () => {
    await network.pay(hot, toNano("3"), "1000000010", true);
    expect(await received()).toEqual([]);
  });

  it("costs no more if its sender asks for the new form of a message that bounces", async () => {
    const message = internal({ to: hot, value: toNano("3"), bounce: true, body: "1000000010" });
    // The library writes these flags as what they once were, a fee. The message that bounces has them, too.
    const flagged = { ...message, info: { ...message.info, ihrFee: 3n } };
    await network.send([flagged]);
    const [bounced] = await network.client.getTransactions(hot, { limit: 1 });
    expect(bounced?.outMessages.get(0)?.info).toMatchObject({ bounced: true, ihrFee: 3n });
    expect(await received()).toEqual([]);
  });

  it("has no comment where the text is encrypted or the operation another one", async () => {
    const encrypted = beginCell().storeUint(0x2167da4b, 32).storeUint(5, 64).endCell();
    const unknown = beginCell().storeUint(0x12345678, 32).endCell();
    for (const body of [encrypted, unknown])
      await network.send([internal({ to: hot, value: toNano("1"), bounce: false, body })]);
    expect(await received()).toEqual([
      ["", coin, toNano("1")],
      ["", coin, toNano("1")],
    ]);
  });

  it("never holds what a database cannot store", async () => {
    await network.pay(hot, toNano("1"), "a\u0000b");
    expect(await received()).toEqual([[":a\ufffdb", coin, toNano("1")]]);
  });

  it("is a jetton only if our own wallet of the real master says so", async () => {
    const fake = beginCell()
      .storeUint(0x7362d09c, 32)
      .storeUint(0, 64)
      .storeCoins(5_000_000n)
      .storeAddress(network.faucet.address)
      .storeMaybeRef(comment("1000000010"))
      .endCell();
    await network.send([internal({ to: hot, value: toNano("0.1"), bounce: false, body: fake })]);
    expect(await received()).toEqual([["", coin, toNano("0.1")]]);
  });

  it("is a jetton with the comment of its payload, without the coin that told of it", async () => {
    await network.payDollars(hot, 5_000_000n, { payload: comment("1000000010") });
    await network.payDollars(hot, 1_000_000n, { forward: toNano("0.02") });
    expect(await received()).toEqual([
      [":1000000010", dollar, 5_000_000n],
      ["", dollar, 1_000_000n],
    ]);
  });

  it("is a jetton under no comment if the account is not told of it", async () => {
    await network.payDollars(hot, 1_000_000n, { forward: 0n, payload: comment("1000000010") });
    const contents = await follow();
    const found = contents.filter(({ transfers }) => transfers.length > 0);
    expect(found.map(({ transfers }) => transfers)).toEqual([
      [
        {
          key: { txid: await newestOf(await network.dollarWallet(hot)), index: 0 },
          to: client.hot,
          asset: { kind: "currency", amount: { units: 1_000_000n, currency: dollar } },
          spendableFromHeight: null,
        },
      ],
    ]);

    // So does a service that was just started, or begins with this very block.
    const { block, transfers } = present(found[0], "its block");
    const { txid } = present(transfers[0], "its transfer").key;
    const started = connectTon([network.ton.url], keys, { master });
    try {
      const { reader } = started.adapter;
      expect((await reader.readBlock(block, signal))?.transfers).toEqual(transfers);
      const { addresses, claims } = present(
        (await reader.senders([txid], block, signal)).get(txid),
        "its senders",
      );
      expect(addresses).toEqual([network.faucet.address.toString({ bounceable: false })]);
      expect(claims).toHaveLength(1);
      expect(await reader.statusOf(txid, claims, signal)).toEqual({
        kind: "included",
        height: block.height,
      });
    } finally {
      await started.close();
    }
  });

  it("counts once each, whether the account hears of it or not, also in one block", async () => {
    const wallet = await network.dollarWallet(network.faucet.address);
    const transfers = [
      { units: 10n, forward: 0n },
      { units: 20n, forward: 1n },
      { units: 30n, forward: 0n },
    ].map(({ forward, units }) => network.dollarTransfer(wallet, hot, units, { forward }));
    await network.send(transfers);
    expect((await received()).toSorted(([, , one], [, , other]) => Number(one - other))).toEqual([
      ["", dollar, 10n],
      ["", dollar, 20n],
      ["", dollar, 30n],
    ]);
  });

  it("is no jetton if it does not come from a wallet of the master", async () => {
    const fake = beginCell()
      .storeUint(0x178d4519, 32)
      .storeUint(0, 64)
      .storeCoins(5_000_000n)
      .storeAddress(network.faucet.address)
      .storeAddress(network.faucet.address)
      .storeCoins(0n)
      .storeBit(false)
      .endCell();
    const to = await network.dollarWallet(hot);
    await network.send([internal({ to, value: toNano("0.1"), bounce: true, body: fake })]);
    expect(await received()).toEqual([]);
  });

  it("is read with one question for each account in which nothing happened", async () => {
    const asked: string[] = [];
    const gateway = await startHttpGateway(new URL(network.ton.url).origin);
    gateway.alter = (_path, { method }, document) => {
      asked.push(String(method));
      return document;
    };
    const gated = connectTon([`${gateway.url}${new URL(network.ton.url).pathname}`], keys, {
      master,
    });
    try {
      await network.mine(2);
      const { reader } = gated.adapter;
      const { height } = await reader.tip(signal);
      for (const each of [height - 1, height]) {
        const header = present(await reader.headerAt(each, signal), "a header");
        asked.length = 0;
        expect((await reader.readBlock(header, signal))?.transfers).toEqual([]);
      }
      expect(asked.filter((method) => method !== "getMasterchainInfo")).toEqual([
        "getAddressInformation",
        "getAddressInformation",
      ]);
    } finally {
      await gated.close();
      await gateway.close();
    }
  });
});

describe("payments from the hot account of TON", () => {
  const nobody = new Address(0, Buffer.alloc(32, 3)).toString({ bounceable: false });

  it("bring the wallet's code, and reach an account without one", async () => {
    const { draft, status } = await pay(nobody, toNano("1"), coin, "invoice 7");
    expect(draft.body).toMatchObject({ bounces: false, comment: "invoice 7" });
    expect(draft.body["init"]).not.toBeNull();
    expect(await status()).toEqual({ kind: "unknown" });
    await network.mine(4);
    expect(await received()).toEqual([]);
    expect(await status()).toMatchObject({ kind: "mined", hasSucceeded: true });
    const { balance } = await network.client.getContractState(Address.parse(nobody));
    expect(balance).toBeGreaterThan(toNano("0.99"));
  });

  it("fail if the receiver's contract does, and the money comes back as no deposit", async () => {
    const { draft, status } = await pay(master, toNano("2"), coin, "hello");
    expect(draft.body).toMatchObject({ bounces: true, init: null });
    await network.mine(6);
    expect(await received()).toEqual([]);
    const outcome = await status();
    expect(outcome).toMatchObject({ kind: "mined", hasSucceeded: false });
    if (outcome.kind === "mined") expect(outcome.feeUnits).toBeLessThan(toNano("0.02"));
    expect(books.get(coin)).toBeGreaterThan(toNano("21.9"));
  });

  it("wait for their receiver before their block counts", async () => {
    const { reader } = client.adapter;
    let hasWaited = false;
    // In some blocks of the network, a message is delivered in the block that sends it.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const before = await reader.tip(signal);
      const { status } = await pay(master, toNano("2"), coin, "hello");
      await network.mine(1);
      hasWaited ||= (await reader.tip(signal)).height === before.height;
      await network.mine(4);
      expect(await received()).toEqual([]);
      expect(await status()).toMatchObject({ kind: "mined", hasSucceeded: false });
    }
    expect(hasWaited).toBe(true);
  });

  it("in a jetton reach its receiver, and the rest of their cost comes back", async () => {
    const before = await network.dollarsOf(Address.parse(nobody)).catch(() => 0n);
    const { status } = await pay(nobody, 2_000_000n, dollar, "invoice 8");
    await network.mine(8);
    const spent = books.get(coin) ?? 0n;
    expect(await received()).toEqual([]);
    expect(await status()).toMatchObject({ kind: "mined", hasSucceeded: true });
    expect((await network.dollarsOf(Address.parse(nobody))) - before).toBe(2_000_000n);
    expect(spent - (books.get(coin) ?? 0n)).toBeLessThan(toNano("0.06"));
    expect(books.get(dollar)).toBe(5_000_060n);
  });

  it("are not drafted without the money for them", async () => {
    await expect(pay(nobody, 6_000_000n, dollar)).rejects.toThrow("insufficient");
    await expect(pay(nobody, toNano("100"))).rejects.toThrow("insufficient");
    await expect(pay(client.hot, toNano("1"))).rejects.toThrow("impossible");
  });

  it("are refused to an account that is frozen", async () => {
    const { destination } = paymentOf(nobody, 1n);
    const gateway = await startHttpGateway(new URL(network.ton.url).origin);
    gateway.alter = (_path, { method, params }, document) => {
      const { address } = params as { readonly address?: string };
      const { result } = document as { readonly result: object };
      return method === "getAddressInformation" && address === destination.address
        ? { ok: true, result: { ...result, state: "frozen" } }
        : document;
    };
    const gated = connectTon([`${gateway.url}${new URL(network.ton.url).pathname}`], keys);
    try {
      const { account } = present(gated.adapter.writer, "a writer");
      expect(await account?.receiver?.(destination, coin, signal)).toEqual({
        kind: "impossible",
        member: "address",
        reason: "The receiver's account is frozen.",
      });
    } finally {
      await gated.close();
      await gateway.close();
    }
  });

  it("have numbers that the wallet remembers", async () => {
    const { account } = present(client.adapter.writer, "a writer");
    const last = number - 1n;
    expect(await account?.nextSequence?.(client.hot, signal)).toBeLessThanOrEqual(last);
    const { status } = await pay(nobody, toNano("0.1"));
    await network.mine(4);
    expect(await status()).toMatchObject({ kind: "mined" });
    expect(await account?.nextSequence?.(client.hot, signal)).toBe(number);
    await follow();
  });

  const quoteOf = (payment: Payment) =>
    present(client.adapter.writer, "a writer").quote(
      {
        payment,
        funds: { kind: "account", address: client.hot, sequence: number },
        balance: toNano("1000"),
      },
      signal,
    );
  const longest = "x".repeat(120);

  /** What a payment to a new account costs the hot account, in nanotons. */
  async function costOf(
    currency: typeof coin,
    text: string | null,
  ): Promise<{ readonly cost: bigint; readonly payment: Payment }> {
    const units = currency === coin ? toNano("0.1") : 100_000n;
    const someone = new Address(0, Buffer.from(systemRandom.bytes(32))).toString();
    const before = books.get(coin) ?? 0n;
    const { status } = await pay(someone, units, currency, text);
    await network.mine(8);
    await follow();
    expect(await status()).toMatchObject({ kind: "mined", hasSucceeded: true });
    const cost = before - (books.get(coin) ?? 0n) - (currency === coin ? units : 0n);
    return { cost, payment: paymentOf(someone, units, currency, text) };
  }

  it("cost at most the low quote for their comment, and little less", async () => {
    for (const currency of [coin, dollar])
      for (const text of [null, "1000000010", longest]) {
        const { cost, payment } = await costOf(currency, text);
        const { low } = await quoteOf(payment);
        expect(cost).toBeLessThanOrEqual(low);
        expect(cost * 106n).toBeGreaterThan(low * 100n);
      }
  });

  it("cost at most the low quote as well once the network's prices have changed", async () => {
    const { low: before } = await quoteOf(paymentOf(nobody, 1n, coin, longest));
    for (const [prices, times] of [
      [{ gas: 300 }, 2.06],
      [{ forwarding: 300 }, 1.94],
      [{ gas: 50, forwarding: 50 }, 0.5],
    ] as const) {
      await changePrices(prices);
      const { low } = await quoteOf(paymentOf(nobody, 1n, coin, longest));
      expect(Number(low) / Number(before)).toBeCloseTo(times, 1);
      for (const currency of [coin, dollar]) {
        const { cost, payment } = await costOf(currency, longest);
        const quote = await quoteOf(payment);
        expect(cost).toBeLessThanOrEqual(quote.low);
        expect(cost * 13n).toBeGreaterThan(quote.low * 10n);
        expect(quote.high).toBeGreaterThanOrEqual(quote.low * 2n);
      }
    }
    await changePrices({});
  });

  it("leave 0.05 TON in the account, and a quote says so", async () => {
    const writer = present(client.adapter.writer, "a writer");
    const payer = present(client.adapter.addressing.parse(client.hot, null), "the hot account");
    const quoteFees = createQuoteFees({
      chains: new Map([["TON", { writer, payer, blockDelay: 5 }]]),
      spendableCoins: () => Promise.resolve([]),
      clock: systemClock,
    });
    const held = books.get(coin) ?? 0n;
    const currency = present(
      builtInCurrencies.find(({ id }) => id === coin),
      "TON",
    );
    const faultsOf = async (units: bigint) => {
      const payment = paymentOf(nobody, units);
      const quote = await quoteFees({ chain: "TON", walletId: "1", balance: units, payment });
      const at = { pointer: "/data/attributes/amount" };
      return reserveFaults(present(quote, "a quote"), units, currency, at);
    };
    expect(await faultsOf(held - toNano("0.05") - toNano("0.01"))).toEqual([]);
    const [fault] = await faultsOf(held - toNano("0.03"));
    expect(fault?.name).toBe("insufficientFunds");
    expect(fault?.detail).toContain("reserve, 0.05 TON, cannot be spent");
  });

  it("are neither quoted nor drafted if the network asks more than the signer signs", async () => {
    await changePrices({ gas: 1_500 });
    await expect(quoteOf(paymentOf(nobody, toNano("1")))).rejects.toThrow(FeesTooHigh);
    await expect(quoteOf(paymentOf(nobody, toNano("1")))).rejects.toThrow(
      /^TON: The network's prices have risen: a payment may cost \d+ nanotons, and at most 100000000 are signed\.$/,
    );
    await expect(pay(nobody, toNano("1"))).rejects.toThrow("tooExpensive");
    await changePrices({});
    await expect(quoteOf(paymentOf(nobody, toNano("1")))).resolves.toMatchObject({
      high: toNano("0.02"),
    });
  });

  it("in a jetton fail if our wallet of it refuses, and the money is still there", async () => {
    const held = books.get(dollar) ?? 0n;
    // Each is checked against what the wallet holds now, so the second asks for what the first one took.
    const both = [await pay(nobody, held, dollar), await pay(nobody, held, dollar)];
    await network.mine(10);
    expect(await received()).toEqual([]);
    const outcomes = await Promise.all(both.map(({ status }) => status()));
    expect(outcomes.map((outcome) => outcome.kind === "mined" && outcome.hasSucceeded)).toEqual([
      true,
      false,
    ]);
    expect(books.get(dollar)).toBe(0n);
  });
});

describe("several payments in one message of TON", () => {
  const someone = () => new Address(0, Buffer.from(systemRandom.bytes(32))).toString();

  it("arrive or come back alone, and their block counts once that is known", async () => {
    await network.payDollars(hot, 5_000_000n, { payload: comment("1000000010") });
    await follow();
    const before = books.get(coin) ?? 0n;
    const receivers = [someone(), someone(), someone()];
    const payments = [
      paymentOf(receivers[0] ?? "", toNano("0.3"), coin, "first"),
      paymentOf(master, toNano("2"), coin, "hello"),
      paymentOf(receivers[1] ?? "", 1_000_000n, dollar, "second"),
      paymentOf(receivers[2] ?? "", toNano("0.2")),
      paymentOf(receivers[2] ?? "", 2_000_000n, dollar),
    ];
    const { draft, status } = await payTogether(payments);
    expect(draft.claims).toHaveLength(1);
    await network.mine(10);
    expect(await received()).toEqual([]);
    expect(await status()).toMatchObject({
      kind: "mined",
      hasSucceeded: true,
      payments: ["made", "refused", "made", "made", "made"],
    });
    for (const [place, units] of [toNano("0.3"), null, toNano("0.2")].entries()) {
      if (units === null) continue;
      const { balance } = await network.client.getContractState(
        Address.parse(receivers[place] ?? ""),
      );
      expect(balance).toBeGreaterThan(units - toNano("0.001"));
    }
    expect(await network.dollarsOf(Address.parse(receivers[1] ?? ""))).toBe(1_000_000n);
    expect(await network.dollarsOf(Address.parse(receivers[2] ?? ""))).toBe(2_000_000n);
    // Two that arrived, and the fees of all five.
    expect(before - (books.get(coin) ?? 0n)).toBeLessThan(toNano("0.7"));
  });

  it("are 50 at most, and cost less than the quotes of each", async () => {
    const writer = present(client.adapter.writer, "a writer");
    expect(writer.paymentsMax).toBe(50);
    await network.pay(hot, toNano("20"), "1000000010");
    await follow();
    for (const [currency, units, low] of [
      [coin, toNano("0.01"), toNano("0.005")],
      [dollar, 1_000n, toNano("0.045")],
    ] as const) {
      const before = books.get(coin) ?? 0n;
      const payments = Array.from({ length: 50 }, () =>
        paymentOf(someone(), units, currency, "x".repeat(120)),
      );
      const { status } = await payTogether(payments);
      await network.mine(12);
      await follow();
      expect(await status()).toMatchObject({
        hasSucceeded: true,
        payments: payments.map(() => "made"),
      });
      const cost = before - (books.get(coin) ?? 0n) - (currency === coin ? 50n * units : 0n);
      expect(cost).toBeGreaterThan(0n);
      expect(cost / 50n).toBeLessThan(low);
    }
  });

  it("that the wallet cannot send are left out, and the others are sent", async () => {
    const { balance } = await network.client.getContractState(hot);
    // Each draft is checked against what the wallet holds now, so the second asks for what the first one took.
    const first = await pay(someone(), balance - toNano("1"));
    const [small, large, other] = [toNano("0.01"), balance / 2n, toNano("0.02")];
    const second = await payTogether(
      [small, large, other].map((units) => paymentOf(someone(), units)),
    );
    await network.mine(6);
    expect(await received()).toEqual([]);
    expect(await first.status()).toMatchObject({ hasSucceeded: true });
    expect(await second.status()).toMatchObject({
      hasSucceeded: true,
      payments: ["made", "refused", "made"],
    });
    await network.pay(hot, toNano("20"), "1000000010");
    await follow();
  });

  it("refuse a receiver that is the wallet itself, and more than it has", async () => {
    const payable = paymentOf(someone(), toNano("0.01"));
    await expect(payTogether([payable, paymentOf(client.hot, 1n)])).rejects.toThrow("impossible");
    await expect(payTogether([payable, paymentOf(someone(), toNano("1000"))])).rejects.toThrow(
      "insufficient",
    );
    const held = books.get(dollar) ?? 0n;
    const half = held / 2n + 1n;
    await expect(
      payTogether([paymentOf(someone(), half, dollar), paymentOf(someone(), half, dollar)]),
    ).rejects.toThrow("insufficient");
  });
});

describe("a node of TON that fails or lies", () => {
  type Answer = { result: unknown[] & { stack: unknown[] } };
  const lies: Readonly<Record<string, (gateway: HttpGateway) => void>> = {
    "is cut off": (gateway) => {
      gateway.isCutOff = true;
    },
    "leaves out the newest transaction": (gateway) => {
      gateway.alter = (_path, { method }, document) => {
        const { result } = document as Answer;
        return method === "getTransactions" ? { ok: true, result: result.slice(1) } : document;
      };
    },
    "alters a transaction": (gateway) => {
      gateway.alter = (_path, { method }, document) => {
        const { result } = document as Answer;
        return method === "getTransactions"
          ? { ok: true, result: [{ ...(result[0] as object), data: emptyCell }] }
          : document;
      };
    },
    "names another wallet of the jetton": (gateway) => {
      const wallet = beginCell().storeAddress(network.faucet.address).endCell();
      const bytes = wallet.toBoc().toString("base64");
      gateway.alter = (_path, { method, params }, document) =>
        method === "runGetMethod" &&
        (params as { readonly method: string }).method === "get_wallet_address"
          ? { ok: true, result: { exit_code: 0, stack: [["cell", { bytes }]] } }
          : document;
    },
  };
  const emptyCell = new Cell().toBoc().toString("base64");

  it.each(Object.keys(lies))("and %s is not used: another one answers", async (lie) => {
    const { reader } = client.adapter;
    await network.pay(hot, toNano("1"), "1000000010");
    await network.payDollars(hot, 1_000_000n, { payload: comment("1000000010") });
    const contents = await follow();
    expect(contents.flatMap(({ transfers }) => transfers)).toHaveLength(2);
    const gateway = await startHttpGateway(new URL(network.ton.url).origin);
    lies[lie]?.(gateway);
    const gated = `${gateway.url}${new URL(network.ton.url).pathname}`;
    const both = connectTon([gated, network.ton.url], keys, { master });
    try {
      for (const { block } of contents)
        expect((await both.adapter.reader.readBlock(block, signal))?.transfers).toEqual(
          (await reader.readBlock(block, signal))?.transfers,
        );
    } finally {
      await both.close();
      await gateway.close();
    }
    const alone = await startHttpGateway(new URL(network.ton.url).origin);
    lies[lie]?.(alone);
    const only = connectTon([`${alone.url}${new URL(network.ton.url).pathname}`], keys, { master });
    try {
      const last = present(
        contents.find(({ transfers }) => transfers.length > 0),
        "a block",
      );
      await expect(only.adapter.reader.readBlock(last.block, signal)).rejects.toThrow(Unavailable);
    } finally {
      await only.close();
      await alone.close();
    }
  });
});

describe("a node of TON that answers an account's state after another block", () => {
  type Named = { readonly seqno: number; readonly root_hash: string };
  const answersOf: Readonly<
    Record<string, (later: Record<string, unknown>, asked: number) => object>
  > = {
    "as if no block had been asked for": (later) => later,
    "under the number that was asked for": (later, asked) => ({
      ...later,
      block_id: { ...(later["block_id"] as Named), seqno: asked },
    }),
  };

  it.each(Object.keys(answersOf))("%s, hides no deposit", async (name) => {
    await network.pay(hot, toNano("1"), "1000000010");
    const contents = await follow();
    const { block } = present(
      contents.find(({ transfers }) => transfers.length > 0),
      "the block of the deposit",
    );
    const gateway = await startHttpGateway(new URL(network.ton.url).origin);
    gateway.intercept = (_path, { method, params }) => {
      const { address, seqno } = params as { readonly address?: string; readonly seqno?: number };
      return method === "getAddressInformation" && seqno === block.height - 1
        ? network.ask("getAddressInformation", { address, seqno: block.height }).then((answer) => ({
            ...answer,
            result: answersOf[name]?.(answer["result"] as Record<string, unknown>, seqno),
          }))
        : undefined;
    };
    const gated = connectTon([`${gateway.url}${new URL(network.ton.url).pathname}`], keys, {
      master,
    });
    try {
      await expect(gated.adapter.reader.readBlock(block, signal)).rejects.toThrow(Unavailable);
    } finally {
      await gated.close();
      await gateway.close();
    }
  });
});

describe("the numbers of the queries", () => {
  it("begin again after the last one", async () => {
    const nobody = new Address(0, Buffer.alloc(32, 4)).toString();
    const { account } = present(client.adapter.writer, "a writer");
    // The wallet forgets the numbers of messages that have expired.
    await network.control("/mine", { seconds: 2 * 3_600 });
    await follow();
    number = 8_380_414n;
    for (const query of [8_380_414n, 0n, 1n]) {
      const { draft, status } = await pay(nobody, toNano("0.01"));
      expect(draft.claims).toEqual([`${client.hot}#${number - 1n}`]);
      await network.mine(4);
      expect(await status()).toMatchObject({ kind: "mined", hasSucceeded: true });
      await follow();
      expect(await account?.nextSequence?.(client.hot, signal)).toBe(query + 1n);
    }
  });
});

describe("a hot account of TON without code", () => {
  const lastOf = async (address: string) => {
    const { result } = await network.ask("getAddressInformation", { address });
    return (result as { readonly last_transaction_id: { readonly lt: string } }).last_transaction_id
      .lt;
  };
  /** Notifies the account of five units of the jetton, and lets it be deleted minutes later; resolves with the tip before that. */
  const createAndDelete = async ({ adapter, hot: address }: ConnectedTon): Promise<BlockRef> => {
    const account = Address.parse(address);
    const before = await adapter.reader.tip(signal);
    await network.payDollars(account, 5n, { payload: comment("1000000010") });
    expect(await lastOf(address)).not.toBe("0");
    await network.control("/mine", { seconds: 500 });
    await network.pay(account, toNano("1"), "1000000010", true);
    expect(await lastOf(address)).toBe("0");
    return before;
  };
  const broughtBy = ({ transfers }: BlockContent, address: string): readonly string[] =>
    transfers.flatMap(({ asset, to }) =>
      asset.kind === "currency"
        ? [`${asset.amount.units} of ${asset.amount.currency}${to.slice(address.length)}`]
        : [],
    );
  const told = `5 of ${dollar}:1000000010`;
  const paid = `2000000000 of ${coin}:1000000010`;

  it("is read although it was deleted, when its rent had used up what it had", async () => {
    const young = connectTon([network.ton.url], keysOf(8), { master });
    try {
      const { reader } = young.adapter;
      const { height: before } = await reader.tip(signal);
      await network.pay(Address.parse(young.hot), 1n);
      // Its rent is a nanoton by then.
      await network.control("/mine", { seconds: 10 });
      await createAndDelete(young);
      await network.pay(Address.parse(young.hot), toNano("2"), "1000000010");

      const { height: newest } = await reader.tip(signal);
      const brought: string[] = [];
      const held = new Map([coin, dollar].map((currency) => [currency, 0n]));
      const add = (currency: typeof coin, units: bigint) =>
        held.set(currency, (held.get(currency) ?? 0n) + units);
      for (let height = before + 1; height <= newest; height += 1) {
        const header = present(await reader.headerAt(height, signal), "a header");
        const content = present(await reader.readBlock(header, signal), "its content");
        brought.push(...broughtBy(content, young.hot));
        for (const { asset } of content.transfers)
          if (asset.kind === "currency") add(asset.amount.currency, asset.amount.units);
        for (const { amount } of content.charges ?? []) add(amount.currency, -amount.units);
        for (const [currency, units] of held)
          expect(
            await reader.balancesAt([young.hot], currency, header.hash, signal),
            `currency ${currency} after block ${height}`,
          ).toEqual([units]);
      }
      expect(brought).toEqual([`1 of ${coin}`, told, paid]);
    } finally {
      await young.close();
    }
  });

  it("is read although it existed within one block only, or was deleted and created in its first", async () => {
    const gateway = await startHttpGateway(new URL(network.ton.url).origin);
    const connect = () =>
      connectTon([`${gateway.url}${new URL(network.ton.url).pathname}`], keysOf(11), { master });
    const young = connect();
    const other = connect();
    try {
      const { reader } = young.adapter;
      const before = await createAndDelete(young);
      const deleted = await reader.tip(signal);
      await network.pay(Address.parse(young.hot), toNano("2"), "1000000010");
      const again = await reader.tip(signal);

      // As if the masterchain had one block only from there to `last`: in the block before that, nothing has happened yet.
      const readAsOne = async (last: BlockRef, { adapter } = young) => {
        const height = last.height - 1;
        gateway.intercept = (_path, { method, params }) =>
          (params as { readonly seqno?: number }).seqno === height &&
          (method === "getAddressInformation" || method === "shards")
            ? network
                .ask(method, { ...(params as object), seqno: before.height })
                .then((answer) => ({ ...answer, result: atHeight(answer["result"], height) }))
            : undefined;
        const parentHash = `${present(before.hash.split(":")[0], "a hash")}:${height}`;
        const content = await adapter.reader.readBlock({ ...last, parentHash }, signal);
        return broughtBy(present(content, "its content"), young.hot);
      };
      expect(await readAsOne(deleted)).toEqual([told]);
      expect(await readAsOne(again)).toEqual([told, paid]);

      // A list without the newest transaction is not believed.
      gateway.alter = (_path, { method }, document) => {
        const { result } = document as { readonly result: object };
        return method === "getBlockTransactions"
          ? { ...(document as object), result: { ...result, transactions: [] } }
          : document;
      };
      await expect(readAsOne(again, other)).rejects.toThrow("lists no transaction");
    } finally {
      await other.close();
      await young.close();
      await gateway.close();
    }
  });
});

/** What a node says of a block, under another height. */
function atHeight(result: unknown, seqno: number): unknown {
  const answer = result as { readonly block_id?: object };
  return answer.block_id === undefined
    ? answer
    : { ...answer, block_id: { ...answer.block_id, seqno } };
}
