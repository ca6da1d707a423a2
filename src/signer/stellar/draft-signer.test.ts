import { bech32 } from "@scure/base";
import {
  Account,
  Asset,
  FeeBumpTransaction,
  Keypair,
  Memo,
  MuxedAccount,
  Networks,
  Operation,
  TransactionBuilder,
} from "@stellar/stellar-sdk/base";
import { TransactionEnvelope } from "@stellar/stellar-sdk/xdr";
import { describe, expect, it } from "vitest";
import {
  type Channel,
  type StellarCall,
  writeBody,
} from "../../chains/stellar/build-transaction.ts";
import { channelsOf } from "../../chains/stellar/channels.ts";
import { present } from "../../platform/kernel/assert.ts";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { DraftRefused, type Ed25519Keys, type ExtendedEd25519Keys } from "../draft-signer.ts";
import type { IntendedAsset, SpendIntent } from "../intent.ts";
import { stellarHotPath } from "../keys/account-paths.ts";
import { deriveExtendedEd25519, icarusRoot } from "../keys/bip32-ed25519.ts";
import { deriveEd25519 } from "../keys/ed25519-keys.ts";
import { seedOfEntropy } from "../keys/seed-of-entropy.ts";
import { createStellarDraftSigner } from "./draft-signer.ts";

/*
 * Drafts come from the adapter's own builder, and their signatures are compared with the SDK's. Every member of a valid draft, and every
 * byte of what is signed, is altered alone. Forbidden transactions are built by the SDK.
 */

const passphrase = Networks.TESTNET;
const entropy = new Uint8Array(16);
const seed = seedOfEntropy(entropy);
const keys: Ed25519Keys & ExtendedEd25519Keys = {
  at: () => {
    throw new Error("this chain has no secp256k1 keys");
  },
  ed25519At: (path) => deriveEd25519(seed, path),
  extendedEd25519At: (path) => deriveExtendedEd25519(icarusRoot(entropy), path),
};
// "abandon ... about" at account 1, of SEP-5.
const hotKeys = Keypair.fromSecret("SCHDCVCWGAKGIMTORV6K5DYYV3BY4WG3RA4M6MCBGJLHUCWU2MC6DL66");
const hot = hotKeys.publicKey();
const payee = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 1)).publicKey();
const cold = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 2)).publicKey();
const issuer = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 3)).publicKey();
const dollar = `USDC:${issuer}`;
const long = `EURODOLLAR:${issuer}`;
const nowSeconds = 1_800_000_000;
const clock = { ...systemClock, now: () => instantFromSeconds(nowSeconds) };
const maxTime = BigInt(nowSeconds + 300);
const coin: IntendedAsset = { kind: "coin" };
const token: IntendedAsset = { kind: "token", locator: dollar };
const signer = createStellarDraftSigner({
  chain: "XLM",
  network: "main",
  passphrase,
  assets: [coin, token],
  channels: 20,
  coldAddress: cold,
  clock,
});

const sequence = 2n ** 58n + 1n;
const draftOf = (
  calls: StellarCall | readonly StellarCall[],
  rest: {
    memo?: string | null;
    fee?: bigint;
    sequence?: bigint;
    maxTime?: bigint;
    channel?: Channel;
  } = {},
) =>
  writeBody({
    from: hot,
    channel: null,
    calls: [calls].flat(),
    memo: null,
    fee: 200n,
    sequence,
    maxTime,
    ...rest,
  });

function payout(asset: IntendedAsset, units: bigint, tag: string | null = null): SpendIntent {
  return payouts([asset, units, tag]);
}

function payouts(
  ...each: readonly (readonly [IntendedAsset, bigint, (string | null)?, string?])[]
): SpendIntent {
  return {
    spendId: "1",
    chain: "XLM",
    feeCeiling: "1000",
    kind: "payout",
    payouts: each.map(([asset, units, tag = null, address = payee], at) => ({
      payoutId: String(at + 1),
      chain: "XLM",
      address,
      tag,
      currency: "1021",
      asset,
      units: units.toString(),
      approval: "",
    })),
  };
}
const gap: SpendIntent = { spendId: "1", chain: "XLM", feeCeiling: "1000", kind: "gap" };
const toCold: SpendIntent = { ...gap, kind: "cold", asset: coin, units: "7" };
const paid = (asset: string, units: bigint, to = payee): StellarCall => ({
  type: "payment",
  to,
  asset,
  units,
});
const through = (count: bigint): StellarCall => ({
  type: "useSequence",
  through: sequence + count - 1n,
});
const nothing: StellarCall = { type: "useSequence", through: null };
const three: readonly StellarCall[] = [
  paid("native", 12n),
  { type: "createAccount", to: cold, units: 10_000_000n },
  paid(dollar, 5n),
];
const threePayouts = payouts([coin, 12n, "7"], [coin, 10_000_000n, "7", cold], [token, 5n, "7"]);

type Case = readonly [name: string, body: JsonObject, intent: SpendIntent];
const valid: readonly Case[] = [
  ["a payment", draftOf(paid("native", 12n)), payout(coin, 12n)],
  ["a payment with a memo", draftOf(paid("native", 12n), { memo: "0" }), payout(coin, 12n, "0")],
  [
    "a payment with the highest memo",
    draftOf(paid("native", 2n ** 63n - 1n), { memo: "18446744073709551615" }),
    payout(coin, 2n ** 63n - 1n, "18446744073709551615"),
  ],
  [
    "a new account",
    draftOf({ type: "createAccount", to: payee, units: 10_000_000n }, { memo: "7" }),
    payout(coin, 10_000_000n, "7"),
  ],
  ["a payment in a token", draftOf(paid(dollar, 5n)), payout(token, 5n)],
  [
    "a payment in a token with a long code",
    draftOf(paid(long, 5n)),
    payout({ kind: "token", locator: long }, 5n),
  ],
  ["a transfer to the cold address", draftOf(paid("native", 7n, cold)), toCold],
  ["an unused sequence", draftOf(nothing), gap],
  ["a trust line for a listed token", draftOf({ type: "changeTrust", asset: dollar }), gap],
];

/** Also claims what it uses if it succeeds. */
const several: readonly Case[] = [
  ["three payments", draftOf([...three, through(3n)], { memo: "7" }), threePayouts],
  [
    "a payment that uses the rest of a failed one's sequences",
    draftOf([paid("native", 12n), through(3n)]),
    payout(coin, 12n),
  ],
  ["three unused sequences", draftOf(through(3n)), gap],
  [
    "a trust line with unused sequences",
    draftOf([{ type: "changeTrust", asset: dollar }, through(3n)]),
    gap,
  ],
];

const expectRefused = (body: JsonObject, intent: SpendIntent): void => {
  expect(() => signer.inspect(body, intent, keys)).toThrow(DraftRefused);
};

describe("the Stellar draft signer", () => {
  it.each(valid)(
    "accepts %s, and reports its highest fee, its claim and its end",
    (_, body, intent) => {
      expect(signer.inspect(body, intent, keys)).toEqual({
        claims: [`${hot}#${sequence}`],
        decisive: [`${hot}#${sequence}`],
        feeUnits: 200n,
        validity: { kind: "time", until: instantFromSeconds(Number(maxTime)) },
      });
    },
  );

  it.each(several)("accepts %s, and reports all its claims", (_, body, intent) => {
    expect(signer.inspect(body, intent, keys)).toMatchObject({
      claims: [0n, 1n, 2n].map((at) => `${hot}#${sequence + at}`),
      // If it fails, it has used this one only.
      decisive: [`${hot}#${sequence}`],
    });
  });

  it("accepts payments without further sequences: then it claims its own only", () => {
    const body = draftOf(three, { memo: "7" });
    expect(signer.inspect(body, threePayouts, keys).claims).toEqual([`${hot}#${sequence}`]);
  });

  it("accepts as many payments as the network takes", () => {
    const each = Array.from({ length: 99 }, (_, at) => [token, BigInt(at + 1)] as const);
    const calls = each.map(([, units]) => paid(dollar, units));
    const { claims } = signer.inspect(draftOf([...calls, through(99n)]), payouts(...each), keys);
    expect(claims).toHaveLength(99);
  });

  it.each([...valid, ...several])("signs %s as the SDK does", (_, body) => {
    const { txid, raw } = signer.sign(body, keys);
    const envelope = TransactionEnvelope.fromXdr(raw);
    const read = TransactionBuilder.fromXdr(envelope, passphrase);
    expect(Buffer.from(read.hash()).toString("hex")).toBe(txid);
    const [ours] = read.signatures.splice(0);
    read.sign(hotKeys);
    expect(read.signatures[0]?.toXdr("hex")).toBe(ours?.toXdr("hex"));
    expect(signer.sign(body, keys).raw).toEqual(raw);
  });

  it("takes the key of SEP-5's account 1, and one of its own for test networks", () => {
    expect(stellarHotPath("main")).toBe("m/44'/148'/1'");
    expect(stellarHotPath("test")).toBe("m/44'/1'/1000148'");
  });

  it("refuses to start with a cold address that is none", () => {
    const options = {
      chain: "XLM",
      network: "main",
      passphrase,
      assets: [],
      channels: 0,
      clock,
    } as const;
    for (const coldAddress of ["", hot.toLowerCase(), `${hot.slice(0, -1)}A`, "SAAA"])
      expect(() => createStellarDraftSigner({ ...options, coldAddress })).toThrow(RangeError);
  });
});

describe("the channels of the account", () => {
  const channels = channelsOf(
    bech32.encode("acct_xvk", bech32.toWords(channelsKey()), false),
    20,
  ).lending;
  const [first, second] = channels as [Channel, Channel];

  /** The signer gives out the key of the account, of which the worker derives the channels. */
  function channelsKey(): Uint8Array {
    const { publicKey, chainCode } = keys.extendedEd25519At("m/1852'/148'/3'");
    return Uint8Array.from([...publicKey, ...chainCode]);
  }

  const payment = draftOf([...three, through(3n)], { memo: "7", channel: second });
  const made = (...each: readonly Channel[]): JsonObject =>
    draftOf(
      each.map((to) => ({ type: "createChannel", to })),
      { fee: BigInt(300 * each.length) },
    );

  it("lend their sequences to payments, whose fee the account offers", () => {
    const { claims, sender, feeUnits } = signer.inspect(payment, threePayouts, keys);
    expect(claims).toEqual([0n, 1n, 2n].map((at) => `${second.address}#${sequence + at}`));
    expect(sender).toBe(hot);
    // 200 stroops are 40 for each of four operations and for the transaction around them.
    expect(feeUnits).toBe(200n);
    const { txid, raw } = signer.sign(payment, keys);
    const read = TransactionBuilder.fromXdr(TransactionEnvelope.fromXdr(raw), passphrase);
    if (!(read instanceof FeeBumpTransaction)) throw new Error("no fee-bump transaction");
    const { innerTransaction: inside } = read;
    expect(Buffer.from(inside.hash()).toString("hex")).toBe(txid);
    expect([read.feeSource, read.fee]).toEqual([hot, "200"]);
    expect([inside.source, inside.fee]).toEqual([second.address, "160"]);
    expect(inside.operations.map(({ source }) => source)).toEqual([hot, hot, hot, undefined]);
    const verifies = (address: string, hash: Uint8Array, at: number, of = inside) =>
      Keypair.fromPublicKey(address).verify(
        hash,
        present(of.signatures[at], "one").signature.value,
      );
    expect(inside.signatures).toHaveLength(2);
    expect(verifies(hot, inside.hash(), 0)).toBe(true);
    expect(verifies(second.address, inside.hash(), 1)).toBe(true);
    expect(read.signatures).toHaveLength(1);
    expect(
      Keypair.fromPublicKey(hot).verify(
        read.hash(),
        present(read.signatures[0], "a signature").signature.value,
      ),
    ).toBe(true);
  });

  it("are made without coin, as many as fit into a transaction", () => {
    const body = made(...channels.slice(0, 19));
    const allowed = { ...gap, feeCeiling: "6000" };
    expect(signer.inspect(body, allowed, keys).claims).toEqual([`${hot}#${sequence}`]);
    const { raw } = signer.sign(body, keys);
    const read = TransactionBuilder.fromXdr(TransactionEnvelope.fromXdr(raw), passphrase);
    expect(read.signatures).toHaveLength(20);
    if (read instanceof FeeBumpTransaction) throw new Error("a fee-bump transaction");
    expect(read.operations.slice(0, 3)).toEqual([
      { type: "beginSponsoringFutureReserves", sponsoredId: first.address },
      { type: "createAccount", destination: first.address, startingBalance: "0.0000000" },
      { type: "endSponsoringFutureReserves", source: first.address },
    ]);
  });

  const twentieth = { address: first.address, number: 20 };
  const other = { address: payee, number: 0 };
  it.each<[string, JsonObject, SpendIntent]>([
    ["to pay without its own key", { ...payment, channels: [0] }, threePayouts],
    ["without a number", { ...payment, channels: [] }, threePayouts],
    ["with a negative number", { ...payment, channels: [-1] }, threePayouts],
    ["by a text", { ...payment, channels: ["1"] }, threePayouts],
    ["beyond the highest number", { ...payment, channels: [200] }, threePayouts],
    ["of a stranger", draftOf(three, { memo: "7", channel: other }), threePayouts],
    ["with another memo", draftOf(three, { memo: "8", channel: second }), threePayouts],
    ["for nothing", draftOf(through(3n), { channel: second }), gap],
    ["made for a payout", made(first), payout(coin, 12n)],
    ["made for a stranger", made(other), gap],
    ["made beyond the configured count", made(twentieth), gap],
    [
      "beside a payment",
      draftOf([{ type: "createChannel", to: first }, ...three], { memo: "7" }),
      threePayouts,
    ],
  ])("are not used %s", (_, body, intent) => {
    expectRefused(body, intent);
  });

  it("are not used if any byte of the transaction is another", () => {
    const { transaction } = payment;
    if (typeof transaction !== "string") throw new Error("no bytes");
    for (let at = 0; at < transaction.length; at += 2) {
      const byte = (Number.parseInt(transaction.slice(at, at + 2), 16) ^ 1).toString(16);
      const altered = `${transaction.slice(0, at)}${byte.padStart(2, "0")}${transaction.slice(at + 2)}`;
      expectRefused({ ...payment, transaction: altered }, threePayouts);
    }
  });
});

describe("a draft that differs from its intent", () => {
  const otherValues: readonly JsonValue[] = [
    ...[null, true, "", "0", "00", "1", 0, 1, 7, 7.5, [], {}],
    ...[hot, payee, dollar, "native"],
  ];

  it.each([...valid, ...several])(
    "is refused for %s with any member missing, added or changed",
    (_, body, intent) => {
      for (const name of Object.keys(body)) {
        const less = Object.entries(body).filter(([other]) => other !== name);
        expectRefused(Object.fromEntries(less), intent);
        for (const value of otherValues)
          if (value !== body[name]) expectRefused({ ...body, [name]: value }, intent);
      }
      expectRefused({ ...body, zeta: null }, intent);
    },
  );

  it.each([...valid, ...several])(
    "is refused for %s with any byte changed, added or left out",
    (_, body, intent) => {
      const bytes = Buffer.from(body["transaction"] as string, "hex");
      const refusedWith = (changed: Uint8Array): void => {
        expectRefused({ ...body, transaction: Buffer.from(changed).toString("hex") }, intent);
      };
      for (let place = 0; place < bytes.length; place += 1) {
        const flipped = Buffer.from(bytes);
        flipped[place] = bytes[place]! ^ (1 << (place % 8));
        refusedWith(flipped);
        refusedWith(Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1)]));
        refusedWith(bytes.subarray(0, place));
      }
      refusedWith(Buffer.concat([bytes, Buffer.alloc(4)]));
    },
  );

  it.each([
    ["another amount", draftOf(paid("native", 13n)), payout(coin, 12n)],
    ["another receiver", draftOf(paid("native", 12n, cold)), payout(coin, 12n)],
    ["a memo that is not intended", draftOf(paid("native", 12n), { memo: "7" }), payout(coin, 12n)],
    ["no memo where one is intended", draftOf(paid("native", 12n)), payout(coin, 12n, "7")],
    ["another memo", draftOf(paid("native", 12n), { memo: "8" }), payout(coin, 12n, "7")],
    ["coin instead of a token", draftOf(paid("native", 12n)), payout(token, 12n)],
    ["a token instead of coin", draftOf(paid(dollar, 12n)), payout(coin, 12n)],
    ["a token of another issuer", draftOf(paid(`USDC:${payee}`, 12n)), payout(token, 12n)],
    ["a fee above the ceiling", draftOf(paid("native", 12n), { fee: 1_001n }), payout(coin, 12n)],
    ["no end", draftOf(paid("native", 12n), { maxTime: 0n }), payout(coin, 12n)],
    [
      "an end that is hours away",
      draftOf(paid("native", 12n), { maxTime: BigInt(nowSeconds + 3_601) }),
      payout(coin, 12n),
    ],
    [
      "the intent of another chain",
      draftOf(paid("native", 12n)),
      { ...payout(coin, 12n), chain: "XRP" },
    ],
    ["a payment where nothing is intended", draftOf(paid("native", 12n)), gap],
    [
      "a trust line for a token that is not listed",
      draftOf({ type: "changeTrust", asset: `USDC:${payee}` }),
      gap,
    ],
    [
      "a trust line where a payment is intended",
      draftOf({ type: "changeTrust", asset: dollar }),
      payout(token, 12n),
    ],
    ["two payments where one is intended", draftOf([...three.slice(0, 2)]), payout(coin, 12n)],
    [
      "one payment where two are intended",
      draftOf(paid("native", 12n)),
      payouts([coin, 12n], [coin, 12n]),
    ],
    ["payments in another order", draftOf(three.toReversed(), { memo: "7" }), threePayouts],
    [
      "payouts with different memos",
      draftOf([paid("native", 1n), paid("native", 2n)], { memo: "7" }),
      payouts([coin, 1n, "7"], [coin, 2n, "8"]),
    ],
    [
      "a trust line beside payments",
      draftOf([paid("native", 12n), { type: "changeTrust", asset: dollar }]),
      payout(coin, 12n),
    ],
    [
      "payments after what uses its sequences",
      draftOf([through(2n), paid("native", 12n)]),
      payout(coin, 12n),
    ],
    [
      "more sequences than it may use",
      draftOf([paid("native", 12n), through(101n)]),
      payout(coin, 12n),
    ],
    ["no sequence of its own", draftOf([paid("native", 12n), through(1n)]), payout(coin, 12n)],
    ["two unused sequences in one", draftOf([nothing, nothing]), gap],
  ] as const)("is refused for %s", (_, body, intent) => {
    expectRefused(body, intent);
  });

  it("is refused if the SDK built something that this signer never signs", () => {
    const build = (
      operations: readonly Parameters<TransactionBuilder["addOperation"]>[0][],
      memo: Memo = Memo.none(),
    ): string => {
      const builder = new TransactionBuilder(new Account(hot, String(2n ** 58n)), {
        fee: "200",
        networkPassphrase: passphrase,
        timebounds: { minTime: 0, maxTime: Number(maxTime) },
      });
      for (const operation of operations) builder.addOperation(operation);
      const envelope = TransactionEnvelope.fromXdr(
        builder.addMemo(memo).build().toEnvelope().toXdr(),
      );
      return envelope.type === "envelopeTypeTx" ? envelope.v1.tx.toXdr("hex") : "";
    };
    const pay = (destination: string) =>
      Operation.payment({ destination, asset: Asset.native(), amount: "0.0000012" });
    const [, body, intent] = valid[0]!;
    const accepts = (transaction: string) => () =>
      signer.inspect({ ...body, transaction }, intent, keys);
    expect(accepts(build([pay(payee)]))).not.toThrow();
    const muxed = new MuxedAccount(new Account(payee, "0"), "7").accountId();
    const forbidden = [
      build([pay(payee), pay(payee)]),
      build([pay(muxed)]),
      build([pay(payee)], Memo.text("7")),
      build([pay(payee)], Memo.hash("ab".repeat(32))),
      build([Operation.accountMerge({ destination: payee })]),
      build([Operation.setOptions({ masterWeight: 0 })]),
      build([Operation.changeTrust({ asset: new Asset("USDC", issuer) })]),
      build([Operation.bumpSequence({ bumpTo: "9223372036854775807" })]),
      build([
        Operation.payment({
          destination: payee,
          asset: Asset.native(),
          amount: "0.0000012",
          source: cold,
        }),
      ]),
    ];
    for (const transaction of forbidden) expect(accepts(transaction)).toThrow(DraftRefused);
  });
});
