import { createHash } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { TronWeb, utils } from "tronweb";
import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { fc } from "../../../test/support/property.ts";
import type { TronCall, TronTransaction } from "../../chains/tron/build-transaction.ts";
import { writeBody } from "../../chains/tron/draft-body.ts";
import { microsPerSecond } from "../../platform/kernel/clock.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { DraftRefused, type KeyRing } from "../draft-signer.ts";
import type { ApprovedPayout, SpendIntent } from "../intent.ts";
import { createTronDraftSigner } from "./draft-signer.ts";
import { addressAt, addressText, ownPaths } from "./own-accounts.ts";
import { signTransaction } from "./sign-transaction.ts";

/*
 * Drafts come from the adapter's own builder, and their signatures are compared with tronweb's. Every member of a valid draft, and
 * every byte of what is signed, is altered alone. Forbidden transactions are encoded by tronweb.
 */

const words = "test test test test test test test test test test test junk";
const seed = mnemonicToSeedSync(words);
const keys: KeyRing = { at: (path) => HDKey.fromMasterSeed(seed).derive(path) };
const paths = ownPaths("main");
const own = (path: string): string => addressText(addressAt(keys, path));
const hot = own(paths.hot);
const gas = own(paths.gas);
const deposit = own(paths.depositAt(7));
const payee = "THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV";
const stranger = "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC";
const cold = "TQLCsShbQNXMTVCjprY64qZmEA4rBarpQp";
const tether = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

const clock = manualClock();
const nowSeconds = Math.floor(clock.now() / microsPerSecond);
const signer = createTronDraftSigner({ chain: "TRX", network: "main", coldAddress: cold, clock });

const rest: Omit<TronTransaction, "call"> = {
  refBlock: { bytes: "f6d8", hash: "e1f1b28e9c3a7d55" },
  expiration: BigInt(nowSeconds + 600) * 1_000n,
  timestamp: BigInt(nowSeconds) * 1_000n + 7n,
  feeLimit: 0n,
};
const draftOf = (
  call: TronCall,
  more: Partial<TronTransaction> = {},
  keyIndex: number | null = null,
): JsonObject =>
  writeBody({
    ...rest,
    feeLimit: call.type === "token" ? 20_000_000n : 0n,
    call,
    ...more,
    keyIndex,
  });

const coin = { kind: "coin" } as const;
const token = { kind: "token", locator: tether } as const;
const common = { spendId: "1", chain: "TRX", feeCeiling: "25000000" };
const payout: ApprovedPayout = {
  payoutId: "12345678",
  chain: "TRX",
  address: payee,
  tag: null,
  currency: "1026",
  asset: coin,
  units: "5000000",
  approval: "",
};
const paying = (...payouts: readonly ApprovedPayout[]): SpendIntent => ({
  ...common,
  kind: "payout",
  payouts,
});
const sweeping = (asset: ApprovedPayout["asset"]): SpendIntent => ({
  ...common,
  kind: "sweep",
  sources: [{ keyIndex: 7, address: deposit, assets: [asset] }],
});

const coinCall: TronCall = { type: "transfer", from: hot, to: payee, units: 5_000_000n };
const tokenCall: TronCall = { ...coinCall, type: "token", contract: tether };
const lending = { from: gas, to: deposit, units: 90_000_000n } as const;

/** A valid draft of each kind, its intent, and the most that it burns. */
const valid: readonly (readonly [string, JsonObject, SpendIntent, bigint])[] = [
  ["a payout of coin", draftOf(coinCall), paying(payout), 1_100_000n],
  [
    "a payout of a token",
    draftOf(tokenCall),
    paying({ ...payout, asset: token }),
    20_000_000n + 345_000n,
  ],
  [
    "coin to the cold address",
    draftOf({ ...coinCall, to: cold }),
    { ...common, kind: "cold", asset: coin, units: "5000000" },
    1_100_000n,
  ],
  [
    "a token to the cold address",
    draftOf({ ...tokenCall, to: cold }),
    { ...common, kind: "cold", asset: token, units: "5000000" },
    20_345_000n,
  ],
  [
    "a sweep of coin",
    draftOf({ ...coinCall, from: deposit, to: hot }, {}, 7),
    sweeping(coin),
    1_100_000n,
  ],
  [
    "a sweep of a token",
    draftOf({ ...tokenCall, from: deposit, to: hot }, {}, 7),
    sweeping(token),
    20_345_000n,
  ],
  [
    "a top-up",
    draftOf({ type: "transfer", ...lending }),
    { ...common, kind: "top_up", keyIndex: 7, units: "90000000" },
    1_100_000n,
  ],
  [
    "a delegation of energy",
    draftOf({ type: "delegate", ...lending }),
    { ...common, kind: "delegate", keyIndex: 7, units: "90000000" },
    278_000n,
  ],
  [
    "the end of a delegation",
    draftOf({ type: "undelegate", ...lending }),
    { ...common, kind: "undelegate", keyIndexes: [7] },
    280_000n,
  ],
];

describe("the TRON draft signer", () => {
  it.each(valid)(
    "accepts %s, and reports its highest fee, its sender and its expiration",
    (_, body, intent, feeUnits) => {
      const until = Number(rest.expiration) * 1_000;
      expect(signer.inspect(body, intent, keys)).toEqual({
        claims: [],
        feeUnits,
        validity: { kind: "time", until },
        sender: body["from"],
      });
    },
  );

  it.each(valid)("signs %s as tronweb does", (_, body) => {
    const { txid, raw } = signer.sign(body, keys);
    const rawData = rawDataOf(body);
    expect(txid).toBe(createHash("sha256").update(Buffer.from(rawData, "hex")).digest("hex"));
    const path = [paths.hot, paths.gas, paths.depositAt(7)].find(
      (one) => own(one) === body["from"],
    );
    const { privateKey } = TronWeb.fromMnemonic(words, path);
    const [signature] = utils.crypto.signTransaction(privateKey.slice(2), { txID: txid }).signature;
    const length = Buffer.from([(rawData.length / 2) | 0x80, 1]).toString("hex");
    expect(Buffer.from(raw).toString("hex")).toBe(
      `0a${length}${rawData}1241${signature!.toLowerCase()}`,
    );
    expect(signer.sign(body, keys).raw).toEqual(raw);
  });

  it("computes the id and the signature that wallet-core expects for a transfer", () => {
    // trustwallet/wallet-core, tests/chains/Tron/SignerTests.cpp, SignTransfer; it writes the recovery number without 27.
    const privateKey = Buffer.from(
      "2d8f68944bdbfbc0769542fba8fc2d2a3de67393334471624364c7006da2aa54",
      "hex",
    );
    const body = draftOf(
      { type: "transfer", from: stranger, to: payee, units: 2_000_000n },
      {
        refBlock: { bytes: "7b3b", hash: "b21ace8d6ac20e7e" },
        expiration: 1539331479000n,
        timestamp: 1539295479000n,
      },
    );
    const ring: KeyRing = { at: () => new HDKey({ privateKey, chainCode: new Uint8Array(32) }) };
    const { txid, raw } = signTransaction(Buffer.from(rawDataOf(body), "hex"), ring, "m/0");
    expect(txid).toBe("dc6f6d9325ee44ab3c00528472be16e1572ab076aa161ccd12515029869d0451");
    expect(Buffer.from(raw.subarray(-65)).toString("hex")).toBe(
      "ede769f6df28aefe6a846be169958c155e23e7e5c9621d2e8dce1719b4d952b6" +
        "3e8a8bf9f00e41204ac1bf69b1a663dacdf764367e48e4a5afcd6b055a747fb21b",
    );
    expect(addressText(addressAt(ring, "m/0"))).toBe(stranger);
  });
});

describe("a draft that differs from its intent", () => {
  const otherValues: readonly JsonValue[] = [
    ...[null, true, "", "0", "00", "1", 0, 1, 7, 7.5, [], {}],
    ...[hot, payee, tether],
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
      expectRefused({ ...body, zeta: null }, intent);
    },
  );

  it.each(valid)(
    "is refused for %s with any byte to be signed changed, added or left out",
    (_, body, intent) => {
      const bytes = Buffer.from(rawDataOf(body), "hex");
      const refusedWith = (changed: Uint8Array): void => {
        expectRefused({ ...body, rawData: Buffer.from(changed).toString("hex") }, intent);
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
    ["another receiver", draftOf({ ...coinCall, to: stranger })],
    ["a unit more", draftOf({ ...coinCall, units: 5_000_001n })],
    ["a unit less", draftOf({ ...coinCall, units: 4_999_999n })],
    ["another sender", draftOf({ ...coinCall, from: stranger })],
    ["the gas account as sender", draftOf({ ...coinCall, from: gas })],
    ["a deposit address as sender", draftOf({ ...coinCall, from: deposit }, {}, 7)],
    ["the key of a deposit address", draftOf(coinCall, {}, 7)],
    ["a token instead", draftOf(tokenCall)],
    ["a delegation instead", draftOf({ ...coinCall, type: "delegate" })],
    ["a fee limit", draftOf(coinCall, { feeLimit: 1n })],
  ])("is refused for a payout of coin with %s", (_, body) => {
    expectRefused(body, paying(payout));
  });

  it.each<readonly [string, JsonObject]>([
    ["another contract", draftOf({ ...tokenCall, contract: stranger })],
    ["another receiver", draftOf({ ...tokenCall, to: stranger })],
    ["a unit more", draftOf({ ...tokenCall, units: 5_000_001n })],
    ["coin instead", draftOf(coinCall)],
    ["no fee limit", draftOf(tokenCall, { feeLimit: 0n })],
    ["a fee limit above the ceiling", draftOf(tokenCall, { feeLimit: 24_700_000n })],
  ])("is refused for a payout of a token with %s", (_, body) => {
    expectRefused(body, paying({ ...payout, asset: token }));
  });

  it.each<readonly [string, SpendIntent]>([
    ["two payouts", paying(payout, { ...payout, payoutId: "2" })],
    ["no payout", paying()],
    ["a payout of another chain", paying({ ...payout, chain: "ETH" })],
    ["a tag", paying({ ...payout, tag: "1" })],
    ["an address with a wrong checksum", paying({ ...payout, address: `${payee.slice(0, -1)}W` })],
    ["an address in hexadecimal", paying({ ...payout, address: TronWeb.address.toHex(payee) })],
    ["an address of an EVM chain", paying({ ...payout, address: `0x${"ab".repeat(20)}` })],
    ["no amount", paying({ ...payout, units: "0" })],
    ["an amount in another notation", paying({ ...payout, units: "5e6" })],
    ["another chain", { ...paying(payout), chain: "ETH" }],
    ["a ceiling below the activation of a receiver", { ...paying(payout), feeCeiling: "1099999" }],
    ["a gap", { ...common, kind: "gap" }],
    ["a consolidation", { ...common, kind: "consolidation" }],
  ])("is refused for an intent with %s", (_, intent) => {
    expectRefused(draftOf(coinCall), intent);
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
    expectRefused(draftOf({ ...coinCall, from: deposit, to: gas }, {}, 7), sweeping(coin));
    expectRefused(draftOf({ ...coinCall, from: deposit, to: payee }, {}, 7), sweeping(coin));
    expectRefused(
      draftOf({ ...tokenCall, from: deposit, to: hot, units: 0n }, {}, 7),
      sweeping(token),
    );
  });

  it("is refused for a top-up above its maximum, and for energy that goes elsewhere", () => {
    const huge = { type: "transfer", ...lending, units: 100_000_001n } as const;
    expectRefused(draftOf(huge), { ...common, kind: "top_up", keyIndex: 7, units: "100000001" });
    const units = "90000000";
    for (const type of ["transfer", "delegate", "undelegate"] as const) {
      const toStranger = draftOf({ type, ...lending, to: stranger });
      const fromHot = draftOf({ type, ...lending, from: hot });
      const toOther = draftOf({ type, ...lending, to: own(paths.depositAt(8)) });
      for (const body of [toStranger, fromHot, toOther]) {
        expectRefused(body, { ...common, kind: "top_up", keyIndex: 7, units });
        expectRefused(body, { ...common, kind: "delegate", keyIndex: 7, units });
        expectRefused(body, { ...common, kind: "undelegate", keyIndexes: [7] });
      }
    }
    const ending = draftOf({ type: "undelegate", ...lending });
    expectRefused(ending, { ...common, kind: "undelegate", keyIndexes: [7, 8] });
    expectRefused(ending, { ...common, kind: "undelegate", keyIndexes: [] });
  });

  it("is refused if it expires more than an hour from the signer's time", () => {
    const expiring = (seconds: number): JsonObject =>
      draftOf(coinCall, { expiration: BigInt(nowSeconds + seconds) * 1_000n });
    expect(signer.inspect(expiring(3_600), paying(payout), keys).claims).toEqual([]);
    expectRefused(expiring(3_601), paying(payout));
  });
});

describe("a transaction that tronweb encodes", () => {
  const hex = (address: string): string => TronWeb.address.toHex(address);
  const transfer = { owner_address: hex(hot), to_address: hex(payee), amount: 5_000_000 };
  const trigger = {
    owner_address: hex(hot),
    contract_address: hex(tether),
    data: `a9059cbb${hex(payee).slice(2).padStart(64, "0")}${(5_000_000).toString(16).padStart(64, "0")}`,
  };
  const delegation = {
    owner_address: hex(gas),
    receiver_address: hex(deposit),
    balance: 90_000_000,
    resource: "ENERGY",
  };
  const delegating: SpendIntent = { ...common, kind: "delegate", keyIndex: 7, units: "90000000" };
  const tokenPayout = paying({ ...payout, asset: token });

  const called = {
    type: "TriggerSmartContract",
    intent: tokenPayout,
    more: { fee_limit: 20_000_000 },
  };
  const moved = { type: "TransferContract", value: transfer, intent: paying(payout) };
  const lent = { type: "DelegateResourceContract", value: delegation, intent: delegating };

  it.each<Encoded & { readonly what: string }>([
    { what: "a transfer", ...moved },
    { what: "a token's transfer", ...called, value: trigger },
    { what: "a delegation", ...lent },
  ])("is accepted if it is $what", (candidate) => {
    expect(
      signer.inspect(bodyWith(encoded(candidate), candidate.intent), candidate.intent, keys).claims,
    ).toEqual([]);
  });

  it.each<Encoded & { readonly what: string }>([
    { what: "a memo", ...moved, more: { data: "68656c6c6f" } },
    { what: "a permission id", ...moved, inContract: { Permission_id: 2 } },
    { what: "coin for the contract", ...called, value: { ...trigger, call_value: 1 } },
    {
      what: "TRC-10 tokens for the contract",
      ...called,
      value: { ...trigger, call_token_value: 1, token_id: 1_002_000 },
    },
    {
      what: "a call of approve",
      ...called,
      value: { ...trigger, data: trigger.data.replace("a9059cbb", "095ea7b3") },
    },
    { what: "further calldata", ...called, value: { ...trigger, data: `${trigger.data}00` } },
    {
      what: "a version byte in the receiver's word",
      ...called,
      value: { ...trigger, data: trigger.data.replace(/^(a9059cbb0{22})00/, "$141") },
    },
    { what: "bandwidth in a delegation", ...lent, value: { ...delegation, resource: "BANDWIDTH" } },
    { what: "a lock", ...lent, value: { ...delegation, lock: true, lock_period: 86_400 } },
    {
      what: "a contract that stakes",
      type: "FreezeBalanceV2Contract",
      value: { owner_address: hex(gas), frozen_balance: 90_000_000, resource: "ENERGY" },
      intent: delegating,
    },
    {
      what: "a contract that moves a TRC-10 token",
      type: "TransferAssetContract",
      value: { ...transfer, asset_name: "31303032303030" },
      intent: paying(payout),
    },
  ])("is refused if it has $what", (candidate) => {
    expectRefused(bodyWith(encoded(candidate), candidate.intent), candidate.intent);
  });

  it("is refused with a second contract, a repeated member, or an integer not in its shortest form", () => {
    const intent = paying(payout);
    const raw = encoded(moved);
    const contractAt = raw.indexOf("5a", 20);
    const length = Number.parseInt(raw.slice(contractAt + 2, contractAt + 4), 16) * 2 + 4;
    const contract = raw.slice(contractAt, contractAt + length);
    expect(contract).toMatch(/^5a68080112640a2d/);
    expectRefused(bodyWith(raw.replace(contract, contract + contract), intent), intent);
    expectRefused(bodyWith(raw.replace(/^0a02/, "0a020000120100"), intent), intent);
    expectRefused(bodyWith(raw.replace("5a", "da00"), intent), intent);
    // fee_limit (field 18) of 0, which serializers leave out.
    expectRefused(bodyWith(`${raw}900100`, intent), intent);
    // auths (9), scripts (12) and an unknown field (30).
    for (const field of ["4a0100", "620100", "f2010100"])
      expectRefused(bodyWith(`${raw}${field}`, intent), intent);
  });

  function encoded({ type, value, more = {}, inContract = {} }: Encoded): string {
    const parameter = { value, type_url: `type.googleapis.com/protocol.${type}` };
    const message: unknown = utils.transaction.txJsonToPb({
      raw_data: {
        contract: [{ parameter, type, ...inContract }],
        ref_block_bytes: rest.refBlock.bytes,
        ref_block_hash: rest.refBlock.hash,
        expiration: Number(rest.expiration),
        timestamp: Number(rest.timestamp),
        ...more,
      },
    });
    return utils.transaction.txPbToRawDataHex(message).toLowerCase();
  }

  /** The body of the valid draft for the intent, with these bytes instead. */
  function bodyWith(rawData: string, intent: SpendIntent): JsonObject {
    const [, body] = valid.find(([, , one]) => JSON.stringify(one) === JSON.stringify(intent))!;
    return { ...body, rawData };
  }
});

describe("the TRON draft signer", () => {
  it("refuses to sign random bytes", () => {
    const [, body, intent] = valid[0]!;
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expectRefused({ ...body, rawData: Buffer.from(bytes).toString("hex") }, intent);
      }),
    );
  });

  it("cannot be created with an invalid cold address", () => {
    for (const coldAddress of ["", "0x00", `${cold.slice(0, -1)}q`])
      expect(() =>
        createTronDraftSigner({ chain: "TRX", network: "main", coldAddress, clock }),
      ).toThrow(RangeError);
  });
});

/** A transaction in the JSON of java-tron: one contract, and members of `raw_data` and of the contract besides the usual ones. */
type Encoded = {
  readonly type: string;
  readonly value: object;
  readonly intent: SpendIntent;
  readonly more?: object;
  readonly inContract?: object;
};

function rawDataOf({ rawData }: JsonObject): string {
  if (typeof rawData !== "string") throw new TypeError("a draft without rawData");
  return rawData;
}

function expectRefused(body: JsonObject, intent: SpendIntent): void {
  expect(() => signer.inspect(body, intent, keys)).toThrow(DraftRefused);
}
