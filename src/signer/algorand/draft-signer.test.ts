import algosdk from "algosdk";
import { describe, expect, it } from "vitest";
import {
  coin,
  coinCall,
  cold,
  common,
  deposit,
  draftOf,
  expectRefused,
  gas,
  genesisHash,
  hot,
  keys,
  lease,
  own,
  paths,
  payee,
  paying,
  payout,
  signer,
  stranger,
  sweeping,
  token,
  tokenCall,
  usdc,
  valid,
} from "../../../test/support/algorand-drafts.ts";
import { fc } from "../../../test/support/property.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import type { SpendIntent } from "../intent.ts";
import { createAlgorandDraftSigner } from "./draft-signer.ts";

/*
 * Drafts come from the adapter's own builder, and their signatures are compared with algosdk's. Every member of a valid draft, and every
 * byte of what is signed, is altered alone. Forbidden transactions are built by algosdk.
 */

const bytesOf = ({ transaction }: JsonObject): Buffer =>
  Buffer.from(typeof transaction === "string" ? transaction : "", "hex");

describe("the Algorand draft signer", () => {
  it.each(valid)("accepts %s, and reports its fee, its sender and its last round", (...row) => {
    const [, body, intent] = row;
    expect(signer.inspect(body, intent, keys)).toEqual({
      claims: [],
      feeUnits: 1_000n,
      validity: { kind: "height", last: 40_000_200 },
      sender: body["from"],
    });
  });

  it.each(valid)("signs %s as algosdk does", (_, body) => {
    const { txid, raw } = signer.sign(body, keys);
    const transaction = algosdk.decodeUnsignedTransaction(bytesOf(body));
    expect(txid).toBe(transaction.txID());
    const path = [paths.hot, paths.gas, paths.depositAt(7)].find((at) => own(at) === body["from"]);
    const key = keys.ed25519At(path!);
    const signature = key.sign(transaction.bytesToSign());
    expect(Buffer.from(raw)).toEqual(
      Buffer.from(transaction.attachSignature(transaction.sender, signature)),
    );
    expect(algosdk.decodeSignedTransaction(raw).sgnr).toBeUndefined();
    expect(signer.sign(body, keys).raw).toEqual(raw);
  });
});

describe("a draft that differs from its intent", () => {
  const otherValues: readonly JsonValue[] = [
    ...[null, true, "", "0", "00", "1", 0, 1, 7, 7.5, [], {}],
    ...[hot, payee, usdc],
  ];

  it.each(valid)(
    "is refused for %s with any member missing, added or changed",
    (_, body, intent) => {
      for (const name of Object.keys(body)) {
        const less = Object.entries(body).filter(([other]) => other !== name);
        expectRefused(Object.fromEntries(less), intent);
        for (const value of otherValues)
          if (value !== body[name]) expectRefused({ ...body, [name]: value }, intent);
      }
      expectRefused({ ...body, memo: "" }, intent);
    },
  );

  it.each(valid)(
    "is refused for %s with any byte to be signed changed, added or left out",
    (_, body, intent) => {
      const bytes = bytesOf(body);
      const refusedWith = (changed: Uint8Array): void => {
        expectRefused({ ...body, transaction: Buffer.from(changed).toString("hex") }, intent);
      };
      for (let place = 0; place < bytes.length; place += 1) {
        const flipped = Buffer.from(bytes);
        flipped[place] = bytes[place]! ^ (1 << (place % 8));
        refusedWith(flipped);
        refusedWith(Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1)]));
        refusedWith(
          Buffer.concat([bytes.subarray(0, place), Buffer.of(place), bytes.subarray(place)]),
        );
        refusedWith(bytes.subarray(0, place));
      }
      refusedWith(Buffer.concat([bytes, Buffer.of(0)]));
    },
  );

  it.each<readonly [string, JsonObject]>([
    ["another receiver", draftOf({ ...coinCall, to: stranger }, { lease })],
    ["a unit more", draftOf({ ...coinCall, units: 5_000_001n }, { lease })],
    ["a unit less", draftOf({ ...coinCall, units: 4_999_999n }, { lease })],
    ["another sender", draftOf({ ...coinCall, from: stranger }, { lease })],
    ["the gas account as sender", draftOf({ ...coinCall, from: gas }, { lease })],
    ["a deposit address as sender", draftOf({ ...coinCall, from: deposit }, { lease }, 7)],
    ["the key of a deposit address", draftOf(coinCall, { lease }, 7)],
    ["a token instead", draftOf(tokenCall, { lease })],
    ["no lease", draftOf(coinCall)],
    ["another lease", draftOf(coinCall, { lease: new Uint8Array(32).fill(9) })],
    ["a fee above the ceiling", draftOf(coinCall, { lease, fee: 2_001n })],
    ["more than a thousand rounds", draftOf(coinCall, { lease, lastValid: 40_001_001 })],
    ["rounds that end before they begin", draftOf(coinCall, { lease, lastValid: 39_999_999 })],
    [
      "another network",
      draftOf(coinCall, { lease, genesisHash: "SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=" }),
    ],
  ])("is refused for a payout of coin with %s", (_, body) => {
    expectRefused(body, paying(payout));
  });

  it.each<readonly [string, JsonObject]>([
    ["another asset", draftOf({ ...tokenCall, asset: "31566705" }, { lease })],
    ["another receiver", draftOf({ ...tokenCall, to: stranger }, { lease })],
    ["coin instead", draftOf(coinCall, { lease })],
  ])("is refused for a payout of a token with %s", (_, body) => {
    expectRefused(body, paying({ ...payout, asset: token }));
  });

  it.each<readonly [string, SpendIntent]>([
    ["two payouts", paying(payout, { ...payout, payoutId: "2" })],
    ["no payout", paying()],
    ["a payout of another chain", paying({ ...payout, chain: "XLM" })],
    ["a tag", paying({ ...payout, tag: "1" })],
    ["an address with a wrong checksum", paying({ ...payout, address: `${payee.slice(0, -1)}A` })],
    ["no amount", paying({ ...payout, units: "0" })],
    ["another chain", { ...paying(payout), chain: "XLM" }],
    ["a gap", { ...common, kind: "gap" }],
    ["a consolidation", { ...common, kind: "consolidation" }],
    ["a delegation", { ...common, kind: "delegate", keyIndex: 7, units: "5000000" }],
    ["coin to opt in to", { ...common, kind: "opt_in", keyIndex: null, asset: coin }],
  ])("is refused for an intent with %s", (_, intent) => {
    expectRefused(draftOf(coinCall, { lease }), intent);
  });

  it("is refused for a sweep of several assets or addresses, from or to a wrong address, or of nothing", () => {
    const sweepDraft = draftOf({ ...coinCall, from: deposit, to: hot }, {}, 7);
    const source = { keyIndex: 7, address: deposit, assets: [coin] };
    const other = { keyIndex: 8, address: own(paths.depositAt(8)), assets: [coin] };
    const sources = [
      [],
      [source, other],
      [other],
      [{ ...source, assets: [coin, token] }],
      [{ ...source, assets: [] }],
      [{ ...source, assets: [token] }],
      [{ ...source, keyIndex: 8 }],
      [{ ...source, address: payee }],
    ];
    for (const wrong of sources)
      expectRefused(sweepDraft, { ...common, kind: "sweep", sources: wrong });
    for (const to of [gas, payee, deposit])
      expectRefused(draftOf({ ...coinCall, from: deposit, to }, {}, 7), sweeping(coin));
    expectRefused(draftOf({ type: "optIn", from: deposit, asset: usdc }, {}, 7), sweeping(token));
  });

  it("is refused for a top-up above its maximum, from another account or to another address", () => {
    const toDeposit = { ...coinCall, from: gas, to: deposit, units: 100_000n };
    const intent: SpendIntent = { ...common, kind: "top_up", keyIndex: 7, units: "100000" };
    for (const call of [
      { ...toDeposit, from: hot },
      { ...toDeposit, to: own(paths.depositAt(8)) },
      { ...toDeposit, units: 99_999n },
    ])
      expectRefused(draftOf(call), intent);
    const huge = draftOf({ ...toDeposit, units: 1_000_001n });
    expectRefused(huge, { ...intent, units: "1000001" });
  });

  it("is refused for an opt-in of another address or to another asset", () => {
    const intent: SpendIntent = { ...common, kind: "opt_in", keyIndex: 7, asset: token };
    const optIn = { type: "optIn", from: deposit, asset: usdc } as const;
    expectRefused(draftOf({ ...optIn, from: hot }), intent);
    expectRefused(draftOf({ ...optIn, asset: "1" }, {}, 7), intent);
    expectRefused(draftOf(optIn, {}, 7), { ...intent, keyIndex: 8 });
    expectRefused(draftOf(optIn, {}, 7), { ...intent, keyIndex: null });
  });

  it("is refused for an opt-in to an asset that is not configured, whatever the intent says", () => {
    const asset = "31566705";
    const unlisted = { kind: "token", locator: asset } as const;
    const opting = { ...common, kind: "opt_in", asset: unlisted } as const;
    expectRefused(draftOf({ type: "optIn", from: hot, asset }), { ...opting, keyIndex: null });
    expectRefused(draftOf({ type: "optIn", from: deposit, asset }, {}, 7), {
      ...opting,
      keyIndex: 7,
    });
  });
});

describe("a transaction that does more than move its amount", () => {
  const params = {
    flatFee: true,
    fee: 1_000,
    minFee: 1_000,
    firstValid: 40_000_000,
    lastValid: 40_000_200,
    genesisHash: Buffer.from(genesisHash, "base64"),
  };
  const pay = (more: object) =>
    algosdk.makePaymentTxnWithSuggestedParamsFromObject({
      sender: hot,
      receiver: payee,
      amount: 5_000_000n,
      lease,
      suggestedParams: params,
      ...more,
    });
  const move = (more: object) =>
    algosdk.makeAssetTransferTxnWithSuggestedParamsFromObject({
      sender: hot,
      receiver: payee,
      amount: 5_000_000n,
      assetIndex: BigInt(usdc),
      lease,
      suggestedParams: params,
      ...more,
    });
  const drafted = (transaction: algosdk.Transaction, like: JsonObject): JsonObject => ({
    ...like,
    transaction: Buffer.from(transaction.toByte()).toString("hex"),
  });
  const [, coinBody] = valid[0]!;
  const [, tokenBody] = valid[1]!;

  it("is encoded as algosdk encodes it where it does nothing more", () => {
    expect(drafted(pay({}), coinBody)).toEqual(coinBody);
    expect(drafted(move({}), tokenBody)).toEqual(tokenBody);
  });

  it.each<readonly [string, object]>([
    ["closes its account", { closeRemainderTo: payee }],
    ["gives its key away", { rekeyTo: stranger }],
    ["has a note", { note: Uint8Array.of(1) }],
    ["names the network's id", { suggestedParams: { ...params, genesisID: "mainnet-v1.0" } }],
    ["pays no fee", { suggestedParams: { ...params, fee: 0 } }],
  ])("is refused if it %s", (_, more) => {
    expectRefused(drafted(pay(more), coinBody), paying(payout));
  });

  it.each<readonly [string, object]>([
    ["closes its holding of the asset", { closeRemainderTo: payee }],
    ["gives its key away", { rekeyTo: stranger }],
    ["takes the asset back from someone", { assetSender: stranger }],
  ])("of an asset is refused if it %s", (_, more) => {
    expectRefused(drafted(move(more), tokenBody), paying({ ...payout, asset: token }));
  });

  it("is refused as a part of a group, and as any other type", () => {
    const [grouped] = algosdk.assignGroupID([pay({}), move({})]);
    expectRefused(drafted(grouped!, coinBody), paying(payout));
    const online = algosdk.makeKeyRegistrationTxnWithSuggestedParamsFromObject({
      sender: hot,
      suggestedParams: params,
    });
    expectRefused(drafted(online, coinBody), paying(payout));
  });

  it("is refused as random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expectRefused(
          { ...coinBody, transaction: Buffer.from(bytes).toString("hex") },
          paying(payout),
        );
      }),
    );
  });
});

describe("createAlgorandDraftSigner", () => {
  it("rejects an invalid cold address or genesis hash", () => {
    const options = {
      chain: "ALGO",
      network: "main",
      genesisHash,
      assets: [],
      coldAddress: cold,
    } as const;
    for (const coldAddress of ["", hot.toLowerCase(), `${cold.slice(0, -1)}A`])
      expect(() => createAlgorandDraftSigner({ ...options, coldAddress })).toThrow(RangeError);
    expect(() => createAlgorandDraftSigner({ ...options, genesisHash: "AAAA" })).toThrow(
      RangeError,
    );
  });
});
