import { createHash } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { TronWeb, utils } from "tronweb";
import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import {
  clock,
  coin,
  coinCall,
  cold,
  common,
  deposit,
  draftOf,
  expectRefused,
  gas,
  hot,
  keys,
  lending,
  nowSeconds,
  own,
  paths,
  payee,
  paying,
  payout,
  rest,
  signer,
  stranger,
  sweeping,
  tether,
  token,
  tokenCall,
  valid,
  words,
} from "../../../test/support/tron-drafts.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { type KeyRing } from "../draft-signer.ts";
import type { SpendIntent } from "../intent.ts";
import { createTronDraftSigner } from "./draft-signer.ts";
import { addressAt, addressText } from "./own-accounts.ts";
import { signTransaction } from "./sign-transaction.ts";

/*
 * Drafts come from the adapter's own builder, and their signatures are compared with tronweb's. Every member of a valid draft, and
 * every byte of what is signed, is altered alone. Forbidden transactions are encoded by tronweb.
 */

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

function rawDataOf({ rawData }: JsonObject): string {
  if (typeof rawData !== "string") throw new TypeError("a draft without rawData");
  return rawData;
}
