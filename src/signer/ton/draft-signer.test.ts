import {
  Address,
  beginCell,
  Cell,
  external,
  internal,
  loadMessage,
  storeMessage,
  storeMessageRelaxed,
  toNano,
} from "@ton/core";
import { Blockchain, type SandboxContract, type TreasuryContract } from "@ton/sandbox";
import { beforeEach, describe, expect, it } from "vitest";
import { type TonOrder, type TonPayment, writeBody } from "../../chains/ton/build-order.ts";
import { highloadAccountId } from "../../chains/ton/highload-wallet.ts";
import { jettonWalletId } from "../../chains/ton/jetton-address.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { ton } from "../../currencies/coins/ton.ts";
import { readTonAddress, tonAddressText, tonContractText } from "../../currencies/ton-address.ts";
import { present } from "../../platform/kernel/assert.ts";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { DraftRefused, type Ed25519Keys } from "../draft-signer.ts";
import type { IntendedAsset, SpendIntent } from "../intent.ts";
import { tonHotPath } from "../keys/account-paths.ts";
import { deriveEd25519 } from "../keys/ed25519-keys.ts";
import { seedOfEntropy } from "../keys/seed-of-entropy.ts";
import { accountText, walletOf } from "./account.ts";
import { readBoc, writeBoc } from "./cell.ts";
import { createTonDraftSigner } from "./draft-signer.ts";
import { type JettonWalletForm, jettonWalletOf } from "./jetton-wallet.ts";

/*
 * Drafts come from the adapter's own builder. The published code of the wallet, run by the node's own virtual machine (@ton/sandbox),
 * decides whether signed messages are valid. Every member of a valid draft, and every bit of what is signed, is altered alone.
 */

/** Owners on the main network and their wallets of USDT, from the accounts' own data. */
const usdtWallets = [
  [
    "23dd2a0e93830fce39fcd7a0abc356f84715bbf5f07f679e3db7209df4721057",
    "bd952ab81722375f0c2d3fedcacacbb1164cd5a948be91b75aeac740276164e2",
  ],
  [
    "23fa979918f1fe702db9100bf843e87c7015eccd39a4721e9b6bac170bc04ce3",
    "2626cf30b702bdded845efc883efa45029ff59defdacc4ce7b8b0a5966d75002",
  ],
] as const;

const seed = seedOfEntropy(new Uint8Array(16));
const keys: Ed25519Keys = {
  at: () => {
    throw new Error("this chain has no secp256k1 keys");
  },
  ed25519At: (path) => deriveEd25519(seed, path),
};
const { publicKey } = deriveEd25519(seed, tonHotPath("main"));
const own = highloadAccountId(publicKey);
const hot = tonAddressText(own, "main");
const nowSeconds = 1_800_000_000;
const clock = { ...systemClock, now: () => instantFromSeconds(nowSeconds) };
const accountOf = (byte: number) => tonAddressText(Uint8Array.from(Buffer.alloc(32, byte)), "main");
const payee = accountOf(1);
const cold = accountOf(2);
const masterOf = (byte: number) => tonContractText(Uint8Array.from(Buffer.alloc(32, byte)));
const form: JettonWalletForm = { codeHash: "8d".repeat(32), codeDepth: 6, layout: "tep-74" };
const jettonWallets: Readonly<Record<string, JettonWalletForm>> = {
  [masterOf(3)]: form,
  [masterOf(4)]: { ...form, codeDepth: 0, layout: "stablecoin" },
};
const walletAt = (owner: Uint8Array, master: string, other: JettonWalletForm | null = null) => {
  const { id } = present(readTonAddress(master), "a master");
  return tonAddressText(
    jettonWalletId(owner, id, other ?? present(jettonWallets[master], master)),
    "main",
  );
};
const jettonWallet = walletAt(own, masterOf(3));
const signer = createTonDraftSigner({
  chain: "TON",
  network: "main",
  jettonWallets,
  coldAddress: cold,
  clock,
});
const coin: IntendedAsset = { kind: "coin" };
const jetton: IntendedAsset = { kind: "token", locator: masterOf(3) };
const stablecoin: IntendedAsset = { kind: "token", locator: masterOf(4) };

/** An order of one payment. */
type OneOrder = TonPayment & Omit<TonOrder, "payments">;
const bodyOf = ({ bounces, call, comment, ...order }: OneOrder): JsonObject =>
  writeBody({ ...order, payments: [{ bounces, call, comment }] });

const coinOrder: OneOrder = {
  from: hot,
  call: { type: "coin", to: payee, units: toNano("1.5") },
  comment: "1000000010",
  bounces: true,
  sequence: 2_000n,
  createdAt: nowSeconds - 10,
  deploys: null,
  networkFee: toNano("0.02"),
};
const jettonCall = {
  type: "jetton",
  jettonWallet,
  value: toNano("0.1"),
  to: payee,
  units: 5_000_000n,
} as const;
const jettonOrder: OneOrder = { ...coinOrder, call: jettonCall };

function payout(
  asset: IntendedAsset,
  units: bigint,
  tag: string | null = coinOrder.comment,
): SpendIntent {
  const approved = { payoutId: "1", chain: "TON", address: payee, currency: "1140", approval: "" };
  return {
    spendId: "1",
    chain: "TON",
    feeCeiling: toNano("0.2").toString(),
    kind: "payout",
    payouts: [{ ...approved, tag, asset, units: units.toString() }],
  };
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value !== "string") throw new TypeError("no text");
  return value;
}
const orderOf = (body: JsonObject): string => textOf(body["order"]);

const inspect = (order: OneOrder | JsonObject, intent: SpendIntent) =>
  signer.inspect("call" in order ? bodyOf(order as OneOrder) : order, intent, keys);
const coinIntent = payout(coin, coinOrder.call.units);
const jettonIntent = payout(jetton, jettonOrder.call.units);

describe("the signer of TON", () => {
  it("derives the wallet that the adapter derives", () => {
    expect(accountText(walletOf(publicKey), "main")).toBe(hot);
  });

  it.each([
    ["coin with a comment", coinOrder, coinIntent, 20_000_000n],
    [
      "coin without a comment",
      { ...coinOrder, comment: null },
      payout(coin, coinOrder.call.units, null),
      20_000_000n,
    ],
    ["a jetton with a comment", jettonOrder, jettonIntent, 120_000_000n],
    [
      "a jetton without a comment, from a wallet without code",
      { ...jettonOrder, comment: null, deploys: publicKey },
      payout(jetton, jettonOrder.call.units, null),
      120_000_000n,
    ],
    [
      "a stablecoin",
      { ...jettonOrder, call: { ...jettonCall, jettonWallet: walletAt(own, masterOf(4)) } },
      payout(stablecoin, jettonCall.units),
      120_000_000n,
    ],
  ])("accepts a payment of %s, and states what it claims and burns", (_, order, intent, fee) => {
    expect(inspect(order, intent)).toEqual({
      claims: [`${hot}#2000`],
      areClaimsForgotten: true,
      feeUnits: fee,
      validity: { kind: "time", until: instantFromSeconds(nowSeconds - 10 + 3_600 + 60) },
    });
  });

  it("burns what the draft states for the network, up to its bounds", () => {
    const ceiling = { feeCeiling: toNano("1").toString() };
    const dear = { ...coinOrder, networkFee: toNano("0.1") };
    expect(inspect(dear, { ...coinIntent, ...ceiling }).feeUnits).toBe(toNano("0.1"));
    const call = { ...jettonCall, value: toNano("0.5") };
    const jettonDear = { ...jettonOrder, call, networkFee: toNano("0.1") };
    expect(inspect(jettonDear, { ...jettonIntent, ...ceiling }).feeUnits).toBe(toNano("0.6"));
  });

  it("accepts a transfer to the configured cold address only", () => {
    const intent: SpendIntent = {
      spendId: "1",
      chain: "TON",
      feeCeiling: coinIntent.feeCeiling,
      kind: "cold",
      asset: coin,
      units: coinOrder.call.units.toString(),
    };
    const toCold = { ...coinOrder.call, to: cold } as OneOrder["call"];
    expect(inspect({ ...coinOrder, call: toCold, comment: null }, intent).claims).toHaveLength(1);
    expect(() => inspect({ ...coinOrder, comment: null }, intent)).toThrow(DraftRefused);
  });

  it.each<[string, OneOrder, SpendIntent]>([
    ["another amount", coinOrder, payout(coin, coinOrder.call.units + 1n)],
    ["another comment", coinOrder, payout(coin, coinOrder.call.units, "7")],
    ["no comment", coinOrder, payout(coin, coinOrder.call.units, null)],
    ["coin instead of a jetton", coinOrder, payout(jetton, coinOrder.call.units)],
    ["a jetton instead of coin", jettonOrder, payout(coin, jettonOrder.call.units)],
    ["a wallet of another key", { ...coinOrder, from: payee }, coinIntent],
    ["a fee above the ceiling", jettonOrder, { ...jettonIntent, feeCeiling: "119999999" }],
    ["too little for the network", { ...coinOrder, networkFee: toNano("0.02") - 1n }, coinIntent],
    [
      "too much for the network",
      { ...coinOrder, networkFee: toNano("0.1") + 1n },
      { ...coinIntent, feeCeiling: toNano("1").toString() },
    ],
    [
      "too much beside a jetton",
      { ...jettonOrder, call: { ...jettonCall, value: toNano("0.5") + 1n } },
      { ...jettonIntent, feeCeiling: toNano("1").toString() },
    ],
    ["a time far ahead", { ...coinOrder, createdAt: nowSeconds + 601 }, coinIntent],
    ["another receiver", { ...coinOrder, call: { ...coinOrder.call, to: cold } }, coinIntent],
  ])("refuses %s", (_, order, intent) => {
    expect(() => inspect(order, intent)).toThrow(DraftRefused);
  });

  it.each([
    ["any other account", accountOf(9)],
    ["the master", tonAddressText(Uint8Array.from(Buffer.alloc(32, 3)), "main")],
    ["our wallet of another jetton", walletAt(own, masterOf(4))],
    ["the receiver's wallet", walletAt(Uint8Array.from(Buffer.alloc(32, 1)), masterOf(3))],
    ["a wallet of other code", walletAt(own, masterOf(3), { ...form, codeHash: "8e".repeat(32) })],
    ["a wallet of deeper code", walletAt(own, masterOf(3), { ...form, codeDepth: 7 })],
    ["a wallet of other data", walletAt(own, masterOf(3), { ...form, layout: "stablecoin" })],
    ["a wallet of another master", walletAt(own, masterOf(5), form)],
  ])("refuses a jetton's transfer by %s", (_, other) => {
    const order = { ...jettonOrder, call: { ...jettonCall, jettonWallet: other } };
    expect(() => inspect(order, jettonIntent)).toThrow(/^does a payment .* instead of /);
  });

  it("refuses a jetton whose wallets it does not know", () => {
    const unknown: IntendedAsset = { kind: "token", locator: masterOf(5) };
    const order = {
      ...jettonOrder,
      call: { ...jettonCall, jettonWallet: walletAt(own, masterOf(5), form) },
    };
    expect(() => inspect(order, payout(unknown, jettonCall.units))).toThrow("not configured");
    for (const locator of ["toString", "__proto__", masterOf(3).toLowerCase()])
      expect(() =>
        inspect(jettonOrder, payout({ kind: "token", locator }, jettonCall.units)),
      ).toThrow("not configured");
  });

  it("derives the wallets of USDT that exist on the main network", () => {
    const usdt = present(
      builtInCurrencies.find(({ alpha }) => alpha === "USDT-TON"),
      "USDT-TON",
    );
    const locator = present(usdt.token, "its master").locator;
    const facts = present(ton.chain.family === "ton" ? ton.chain.facts : null, "TON's facts");
    const known = present(facts.jettonWallets[locator], "its wallets");
    const master = present(readTonAddress(locator), "a master").id;
    for (const [owner, wallet] of usdtWallets) {
      const id = Uint8Array.from(Buffer.from(owner, "hex"));
      for (const derived of [jettonWalletOf, jettonWalletId])
        expect(Buffer.from(derived(id, master, known)).toString("hex")).toBe(wallet);
    }
  });

  it("refuses a body in which any member differs from the bytes", () => {
    for (const order of [coinOrder, { ...jettonOrder, deploys: publicKey }]) {
      const body = bodyOf(order);
      const intent = order === coinOrder ? coinIntent : jettonIntent;
      for (const [name, value] of Object.entries(body)) {
        const other: JsonValue =
          typeof value === "boolean" ? !value : value === null ? "1" : `${textOf(value)}0`;
        expect(() => inspect({ ...body, [name]: other }, intent), name).toThrow(DraftRefused);
        const without = Object.fromEntries(
          Object.entries(body).filter(([other]) => other !== name),
        );
        expect(() => inspect(without, intent), name).toThrow(DraftRefused);
      }
      expect(() => inspect({ ...body, more: "1" }, intent)).toThrow(DraftRefused);
    }
  });

  it("refuses an order in which any bit is another one, or signs another claim or time", () => {
    for (const order of [coinOrder, jettonOrder]) {
      const body = bodyOf(order);
      const intent = order === coinOrder ? coinIntent : jettonIntent;
      const bytes = Buffer.from(orderOf(body), "hex");
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const altered = Buffer.from(bytes);
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7));
        const draft = { ...body, order: altered.toString("hex") };
        expect(() => inspect(draft, intent), `bit ${bit}`).toThrow(DraftRefused);
      }
    }
  });

  it("accepts several payments, and refuses them if any differs from its payout or its bytes", () => {
    const payments: readonly TonPayment[] = [
      { call: { type: "coin", to: payee, units: 5n }, comment: "1", bounces: true },
      { call: jettonCall, comment: null, bounces: true },
      { call: { type: "coin", to: cold, units: 7n }, comment: null, bounces: false },
    ];
    const body = writeBody({ ...coinOrder, payments });
    const intended = [
      { ...payout(coin, 5n, "1"), feeCeiling: "" },
      payout(jetton, jettonCall.units, null),
      payout(coin, 7n, null),
    ].flatMap((each) => (each.kind === "payout" ? each.payouts : []));
    const last = { ...present(intended[2], "a payout"), address: cold };
    const payouts = [...intended.slice(0, 2), last];
    const intent: SpendIntent = {
      ...coinIntent,
      kind: "payout",
      feeCeiling: "160000000",
      payouts,
    };
    expect(inspect(body, intent)).toMatchObject({
      claims: [`${hot}#2000`],
      feeUnits: 160_000_000n,
    });
    for (const other of [payouts.toReversed(), payouts.slice(1), [...payouts, last]])
      expect(() => inspect(body, { ...intent, payouts: other })).toThrow(DraftRefused);
    expect(() => inspect(body, { ...intent, feeCeiling: "159999999" })).toThrow(DraftRefused);
    for (const changed of [[], body["payments"]]) {
      const members = { ...body, payments: changed ?? null };
      if (changed === body["payments"]) expect(() => inspect(members, intent)).not.toThrow();
      else expect(() => inspect(members, intent)).toThrow("payments differs from order");
    }
    const bytes = Buffer.from(orderOf(body), "hex");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7));
      const draft = { ...body, order: altered.toString("hex") };
      expect(() => inspect(draft, intent), `bit ${bit}`).toThrow(DraftRefused);
    }
  });

  it("signs no list within a list, and none of one payment", () => {
    const call = { type: "coin", to: hot, units: 50_000_000n } as const;
    const own: TonPayment = { call, comment: null, bounces: false };
    const other: TonPayment = { call: { ...call, to: payee }, comment: null, bounces: false };
    for (const payments of [[own], [other, own]])
      expect(() =>
        inspect(writeBody({ ...coinOrder, payments }), payout(coin, 50_000_000n, null)),
      ).toThrow(DraftRefused);
  });

  it("refuses code that is not the wallet's", () => {
    const body = bodyOf({ ...coinOrder, deploys: Uint8Array.from(Buffer.alloc(32, 9)) });
    expect(() => inspect(body, coinIntent)).toThrow("init is not the wallet's");
  });

  it.each([
    ["other currencies", { extracurrency: { 1: 5n } }],
    ["code for the receiver", { init: { code: new Cell(), data: new Cell() } }],
    ["an operation", { body: beginCell().storeUint(0x0f8a7ea5, 32).endCell() }],
    ["a long operation", { body: beginCell().storeUint(7, 32).endCell() }],
  ])("refuses a message with %s", (_, more) => {
    const body = bodyOf(coinOrder);
    const old = Cell.fromHex(orderOf(body)).beginParse();
    const message = internal({
      to: Address.parse(payee),
      value: coinOrder.call.units,
      bounce: true,
      body: "1000000010",
      ...more,
    });
    old.loadRef();
    const order = beginCell()
      .storeUint(0x10ad, 32)
      .storeRef(beginCell().store(storeMessageRelaxed(message)).endCell())
      .storeBits(
        Cell.fromHex(orderOf(body))
          .beginParse()
          .skip(32)
          .loadBits(8 + 23 + 64 + 22),
      )
      .endCell()
      .toBoc({ idx: false, crc32: false })
      .toString("hex");
    expect(() => inspect({ ...body, order }, coinIntent)).toThrow(DraftRefused);
  });

  it.each(["gap", "consolidation"] as const)("signs no %s", (kind) => {
    const intent: SpendIntent = { spendId: "1", chain: "TON", feeCeiling: "1000000000", kind };
    expect(() => inspect(coinOrder, intent)).toThrow(DraftRefused);
  });

  it("reads and writes bags of cells as the library does", () => {
    const hex = textOf(bodyOf({ ...jettonOrder, deploys: publicKey })["init"]);
    const cell = readBoc(Uint8Array.from(Buffer.from(hex, "hex")));
    const theirs = Cell.fromHex(hex);
    expect(Buffer.from(cell.hash)).toEqual(theirs.hash());
    expect(Cell.fromBoc(Buffer.from(writeBoc(cell)))[0]?.equals(theirs)).toBe(true);
  });
});

describe("a signed message", () => {
  let chain: Blockchain;
  let payer: SandboxContract<TreasuryContract>;
  const wallet = Address.parse(hot);

  beforeEach(async () => {
    chain = await Blockchain.create();
    chain.now = nowSeconds;
    payer = await chain.treasury("payer");
    await payer.send({ to: wallet, value: toNano("10"), bounce: false });
  });

  const plain = { ...coinOrder, bounces: false };
  const sign = (order: OneOrder) => signer.sign(bodyOf(order), keys);
  const deliver = (raw: Uint8Array) => {
    const [cell = new Cell()] = Cell.fromBoc(Buffer.from(raw));
    return chain.sendMessage(loadMessage(cell.beginParse()));
  };

  it("deploys the wallet, pays, and is refused the second time", async () => {
    const first = sign({ ...plain, deploys: publicKey });
    const before = (await chain.getContract(Address.parse(payee))).balance;
    const { transactions } = await deliver(first.raw);
    expect(transactions).toHaveLength(2);
    expect((await chain.getContract(Address.parse(payee))).balance - before).toBeGreaterThan(
      toNano("1.499"),
    );
    expect((await chain.getContract(wallet)).accountState?.type).toBe("active");
    await expect(deliver(first.raw)).rejects.toThrow();
    const again = { ...plain, createdAt: coinOrder.createdAt + 1 };
    await expect(deliver(sign(again).raw)).rejects.toThrow();
    const next = await deliver(sign({ ...plain, sequence: 2_001n }).raw);
    expect(next.transactions).toHaveLength(2);
  });

  it("with several payments makes each, from a wallet that had no code", async () => {
    const payments = Array.from(
      { length: 50 },
      (_, place): TonPayment => ({
        call: { type: "coin", to: accountOf(100 + place), units: toNano("0.1") },
        comment: "x".repeat(120),
        bounces: false,
      }),
    );
    const body = writeBody({ ...coinOrder, payments, deploys: publicKey });
    const { raw } = signer.sign(body, keys);
    const { transactions } = await deliver(raw);
    expect(transactions).toHaveLength(52);
    for (let place = 0; place < 50; place += 1) {
      const { balance } = await chain.getContract(Address.parse(accountOf(100 + place)));
      expect(balance).toBeGreaterThan(toNano("0.099"));
    }
    await expect(deliver(raw)).rejects.toThrow();
  });

  it("is refused before and after its time", async () => {
    chain.now = coinOrder.createdAt - 1;
    await expect(deliver(sign({ ...plain, deploys: publicKey }).raw)).rejects.toThrow();
    chain.now = coinOrder.createdAt + 3_600;
    await expect(deliver(sign({ ...plain, deploys: publicKey }).raw)).rejects.toThrow();
    chain.now = coinOrder.createdAt + 3_599;
    const { transactions } = await deliver(sign({ ...plain, deploys: publicKey }).raw);
    expect(transactions).toHaveLength(2);
  });

  it("has the id of its normalized form, whatever else its carrier writes", () => {
    const { raw, txid } = sign({ ...plain, deploys: publicKey });
    const [cell = new Cell()] = Cell.fromBoc(Buffer.from(raw));
    const { body } = loadMessage(cell.beginParse());
    const normalized = beginCell()
      .store(storeMessage(external({ to: wallet, body }), { forceRef: true }))
      .endCell();
    expect(txid).toBe(normalized.hash().toString("hex"));
    expect(sign(plain).txid).toBe(txid);
  });

  it("is the same each time", () => {
    expect(sign(plain)).toEqual(sign(plain));
  });
});
