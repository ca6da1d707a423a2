import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import type {
  ChainWriter,
  Coin,
  FeeQuote,
  QuoteRequest,
  ReceiverState,
} from "../../chains/paying-port.ts";
import type { Destination } from "../../chains/port.ts";
import { RpcError } from "../../chains/rpc/node-error.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { createQuoteFees } from "./create-quote-fees.ts";
import type { FeeQuestion } from "./quote-fees.ts";

/* Quotes from a writer that counts its questions; blocks of 12 seconds on an account chain, of 600 on a UTXO chain. */

const eth = "1002" as CurrencyId;
const usdt = "2015" as CurrencyId;
const btc = "1000" as CurrencyId;
const to = (address: string): Destination => ({ address, addressType: null, tag: null });
const ready: ReceiverState = { kind: "ready" };
const fees: FeeQuote = { low: 10n, medium: 20n, high: 40n, dust: 0n, warning: null };

const ask = (question: {
  readonly chain?: string;
  readonly address?: string;
  readonly tag?: string;
  readonly currency?: CurrencyId;
  readonly units?: bigint;
  readonly balance?: bigint;
}): FeeQuestion => ({
  chain: question.chain ?? "ETH",
  walletId: "1",
  balance: question.balance ?? 1_000n,
  payment: {
    destination: { ...to(question.address ?? "0xa"), tag: question.tag ?? null },
    amount: { units: question.units ?? 500n, currency: question.currency ?? eth },
  },
});

function quoted() {
  const clock = manualClock();
  const requests: QuoteRequest[] = [];
  const state = {
    failure: null as Error | null,
    coinQuestions: 0,
    release: null as (() => void) | null,
    receiver: null as NonNullable<ChainWriter["account"]>["receiver"],
    fees,
  };
  const writer = (funding: ChainWriter["funding"], coin: CurrencyId): ChainWriter => ({
    funding,
    coin,
    paymentsMax: 1,
    changeOf: null,
    isMissingUpTo: null,
    account:
      funding === "coins"
        ? null
        : {
            nextSequence: null,
            funds: () => Promise.reject(new Error("has no funds")),
            receiver: (...about) => state.receiver?.(...about) ?? Promise.resolve(ready),
            draftEach: () => Promise.reject(new Error("drafts nothing")),
            broadcastEach: () => Promise.reject(new Error("broadcasts nothing")),
          },
    quote: async (request) => {
      requests.push(request);
      if (state.release !== null) await new Promise<void>((resolve) => (state.release = resolve));
      if (state.failure !== null) throw state.failure;
      return state.fees;
    },
    draft: () => Promise.reject(new Error("drafts nothing")),
    broadcast: () => Promise.reject(new Error("broadcasts nothing")),
    status: () => Promise.reject(new Error("knows nothing")),
  });
  const change: Destination = { address: "bc1change", addressType: "bech32", tag: null };
  const quoteFees = createQuoteFees({
    chains: new Map([
      ["ETH", { writer: writer("account", eth), payer: to("0xhot"), blockDelay: 12 }],
      ["BTC", { writer: writer("coins", btc), payer: change, blockDelay: 600 }],
    ]),
    spendableCoins: (chain, limit) => {
      state.coinQuestions += 1;
      expect([chain, limit > 0]).toEqual(["BTC", true]);
      return Promise.resolve([] as readonly Coin[]);
    },
    clock,
  });
  return { quoteFees, requests, clock, state };
}

describe("createQuoteFees", () => {
  describe("on an account chain", () => {
    it("quotes from the hot account and caches by receiver, whatever the amount", async () => {
      const { quoteFees, requests, clock } = quoted();
      expect(await quoteFees(ask({}))).toEqual({ ...fees, receiver: ready, warning: null });
      expect(requests[0]?.funds).toEqual({ kind: "account", address: "0xhot", sequence: null });
      await Promise.all([1n, 2n, 300n].map((units) => quoteFees(ask({ units }))));
      expect(requests.length).toBe(1);
      await quoteFees(ask({ currency: usdt }));
      await quoteFees(ask({ address: "0xb" }));
      expect(requests.length).toBe(3);
      clock.advance(5.1);
      await quoteFees(ask({}));
      expect(requests.length).toBe(4);
    });

    it.each([
      // amount, balance, warning
      [500n, 1_000n, null],
      [199n, 1_000n, 1],
      [500n, 529n, 3],
      [500n, 530n, null],
      [500n, 520n, null],
      [500n, 510n, null],
      [500n, 509n, 2],
      [500n, 500n, 2],
      [100n, 109n, 2],
    ])("warns for an amount of %i out of %i with %s", async (units, balance, warning) => {
      const { quoteFees } = quoted();
      expect((await quoteFees(ask({ units: 10_000n, balance: 10n ** 9n })))?.warning).toBeNull();
      expect((await quoteFees(ask({ units, balance })))?.warning).toBe(warning);
    });

    it("prefers what the writer found out about the receiver with the fees", async () => {
      const { quoteFees, state } = quoted();
      const receiver = { kind: "impossible", member: "address", reason: "Too much gas." } as const;
      state.fees = { ...fees, receiver };
      expect((await quoteFees(ask({})))?.receiver).toEqual(receiver);
    });

    it("does not compare a token's amount with a fee in ether", async () => {
      const { quoteFees } = quoted();
      expect((await quoteFees(ask({ units: 1n, currency: usdt })))?.warning).toBeNull();
    });

    it("sends one question ahead for 200 concurrent ones, and shares equal ones", async () => {
      const { quoteFees, requests, state } = quoted();
      state.release = () => undefined;
      const answers = Array.from({ length: 200 }, (_, index) =>
        quoteFees(ask({ address: `0x${index % 4}`, units: BigInt(index + 1) })),
      );
      await Promise.resolve();
      expect(requests.length).toBe(1);
      const release = state.release;
      state.release = null;
      release();
      expect((await Promise.all(answers)).length).toBe(200);
      expect(requests.length).toBe(4);
    });
  });

  describe("on a UTXO chain", () => {
    it("selects among the spendable coins, which are read once for many questions", async () => {
      const { quoteFees, requests, state, clock } = quoted();
      const question = (units: bigint) => ask({ chain: "BTC", currency: btc, units });
      await Promise.all([1n, 2n, 3n, 3n].map((units) => quoteFees(question(units))));
      expect([requests.length, state.coinQuestions]).toEqual([3, 1]);
      expect(requests[0]?.funds).toEqual({
        kind: "coins",
        coins: [],
        change: { address: "bc1change", addressType: "bech32", keyIndex: 0 },
      });
      clock.advance(5.1);
      await quoteFees(question(1n));
      expect([requests.length, state.coinQuestions]).toEqual([4, 2]);
    });
  });

  it("returns null if the node has no answer, and asks it again next time", async () => {
    const { quoteFees, state } = quoted();
    state.failure = new Unavailable("ETH", "no node answers");
    expect(await quoteFees(ask({}))).toBeNull();
    state.failure = null;
    expect(await quoteFees(ask({}))).toEqual({ ...fees, receiver: ready });
  });

  it("distinguishes a node's error from a node that does not respond", async () => {
    const { quoteFees, state } = quoted();
    const cause = new RpcError(-32_000, "header not found");
    state.failure = new Unavailable("ETH", "eth_feeHistory: header not found", cause);
    await expect(quoteFees(ask({}))).rejects.toThrow("header not found");
  });

  it("asks about each receiver once, with its tag and the currency that it is to get", async () => {
    const needed: ReceiverState = { kind: "needsActivation", minimumUnits: 5n };
    const { quoteFees, state } = quoted();
    const requests: string[] = [];
    state.receiver = ({ address, tag }, currency) => {
      requests.push(`${address} ${tag} ${currency}`);
      return Promise.resolve(tag === null ? needed : ready);
    };
    const tag = "0";
    for (const units of [1n, 2n]) {
      expect((await quoteFees(ask({ units })))?.receiver).toEqual(needed);
      expect((await quoteFees(ask({ units, tag })))?.receiver).toEqual(ready);
    }
    await quoteFees(ask({ currency: usdt }));
    expect(requests).toEqual([`0xa null ${eth}`, `0xa 0 ${eth}`, `0xa null ${usdt}`]);
    state.receiver = () => Promise.reject(new Unavailable("ETH", "no answer"));
    expect(await quoteFees(ask({ address: "0xb" }))).toBeNull();
  });

  it("returns null for a chain without payouts, and throws on our own bugs", async () => {
    const { quoteFees, state } = quoted();
    expect(await quoteFees(ask({ chain: "LTC" }))).toBeNull();
    state.failure = new TypeError("oops");
    await expect(quoteFees(ask({}))).rejects.toThrow(TypeError);
    state.failure = new Unavailable("database", "gone");
    await expect(quoteFees(ask({}))).rejects.toThrow(Unavailable);
  });
});
