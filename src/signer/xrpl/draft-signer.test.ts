import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { encode } from "ripple-binary-codec";
import { describe, expect, it } from "vitest";
import { AccountSetAsfFlags, Wallet } from "xrpl";
import { buildUnsigned, type XrplCall } from "../../chains/xrpl/build-transaction.ts";
import { writeBody } from "../../chains/xrpl/draft-body.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused, type KeyRing } from "../draft-signer.ts";
import type { ApprovedPayout, SpendIntent } from "../intent.ts";
import { createXrplDraftSigner } from "./draft-signer.ts";
import { accountOfKey, accountText, hotPathOf, publicKeyAt } from "./own-account.ts";

/*
 * Drafts come from the adapter's own builder, and their signatures are compared with those of xrpl.js. Every member of a valid draft, and
 * every byte of what is signed, is altered alone. Forbidden transactions are encoded by ripple-binary-codec.
 */

const words = "test test test test test test test test test test test junk";
const seed = mnemonicToSeedSync(words);
const keys: KeyRing = { at: (path) => HDKey.fromMasterSeed(seed).derive(path) };
const path = hotPathOf("main");
const hot = accountText(accountOfKey(publicKeyAt(keys, path)));
const payee = "rGFuMiw48HdbnrUbkRYuitXTmfrDBNTCnX";
const cold = "rNNuQMuExCiEjeZ4h9JJnj5PSWypdMXDj4";
const signer = createXrplDraftSigner({
  chain: "XRP",
  network: "main",
  networkId: 0,
  coldAddress: cold,
});

const common = { spendId: "1", chain: "XRP", feeCeiling: "5000" };
const payout: ApprovedPayout = {
  payoutId: "12345678",
  chain: "XRP",
  address: payee,
  tag: "7",
  currency: "1010",
  asset: { kind: "coin" },
  units: "5000000",
  approval: "",
};
const paying = (...payouts: readonly ApprovedPayout[]): SpendIntent => ({
  ...common,
  kind: "payout",
  payouts,
});
const gap: SpendIntent = { ...common, kind: "gap" };
const toCold: SpendIntent = {
  ...common,
  kind: "cold",
  asset: { kind: "coin" },
  units: "5000000",
};

const call: Extract<XrplCall, { readonly type: "payment" }> = {
  type: "payment",
  from: hot,
  to: payee,
  tag: "7",
  units: 5_000_000n,
};
const rest = { sequence: 42n, feeUnits: 12n, lastLedger: 99_000_150, networkId: null };
const draftOf = (of: XrplCall, more: Partial<typeof rest> = {}): JsonObject =>
  writeBody({ ...rest, ...more, call: of });

const valid: readonly (readonly [string, JsonObject, SpendIntent])[] = [
  ["a payout with a tag", draftOf(call), paying(payout)],
  ["a payout without a tag", draftOf({ ...call, tag: null }), paying({ ...payout, tag: null })],
  ["a payout with the tag 0", draftOf({ ...call, tag: "0" }), paying({ ...payout, tag: "0" })],
  ["XRP to the cold address", draftOf({ ...call, to: cold, tag: null }), toCold],
  ["the transaction that uses up a sequence", draftOf({ type: "requireTag", from: hot }), gap],
];

function textIn(body: JsonObject, name: string): string {
  const value = body[name];
  return typeof value === "string" ? value : "";
}

function expectRefused(body: JsonObject, intent: SpendIntent): void {
  expect(() => signer.inspect(body, intent, keys)).toThrow(DraftRefused);
}

describe("the draft signer of the XRP Ledger", () => {
  it.each(valid)(
    "accepts %s, and reports its claim, its fee and its last ledger",
    (_, body, intent) => {
      expect(signer.inspect(body, intent, keys)).toEqual({
        claims: [`${hot}#42`],
        feeUnits: 12n,
        validity: { kind: "height", last: 99_000_150 },
      });
    },
  );

  it.each(valid)("signs %s as xrpl.js does, with the same id", (_, body) => {
    const wallet = Wallet.fromMnemonic(words, { derivationPath: path, mnemonicEncoding: "bip39" });
    const { tag, type } = body;
    const { tx_blob, hash } = wallet.sign({
      Account: hot,
      Fee: "12",
      Sequence: 42,
      LastLedgerSequence: 99_000_150,
      ...(type === "payment"
        ? {
            TransactionType: "Payment",
            Amount: textIn(body, "units"),
            Destination: textIn(body, "to"),
            ...(tag === null ? {} : { DestinationTag: Number(tag) }),
          }
        : { TransactionType: "AccountSet", SetFlag: AccountSetAsfFlags.asfRequireDest }),
    });
    const { raw, txid } = signer.sign(body, keys);
    expect([Buffer.from(raw).toString("hex").toUpperCase(), txid]).toEqual([tx_blob, hash]);
  });

  it.each(valid)("refuses %s with any byte altered", (_, body, intent) => {
    const bytes = Buffer.from(textIn(body, "unsigned"), "hex");
    for (let at = 0; at < bytes.length; at += 1) {
      const altered = Buffer.from(bytes);
      altered[at] = (bytes[at] ?? 0) ^ 1;
      expectRefused({ ...body, unsigned: altered.toString("hex") }, intent);
    }
    for (const unsigned of [bytes.subarray(1), bytes.subarray(0, -1), Buffer.alloc(0)])
      expectRefused({ ...body, unsigned: unsigned.toString("hex") }, intent);
  });

  it.each(valid)("refuses %s with any member altered, missing or added", (_, body, intent) => {
    for (const name of Object.keys(body)) {
      expectRefused({ ...body, [name]: "1" }, intent);
      const others = Object.entries(body).filter(([other]) => other !== name);
      expectRefused(Object.fromEntries(others), intent);
    }
    expectRefused({ ...body, memo: null }, intent);
  });

  it.each([
    ["another receiver", { ...call, to: cold }],
    ["another tag", { ...call, tag: "8" }],
    ["no tag", { ...call, tag: null }],
    ["another amount", { ...call, units: 5_000_001n }],
    ["another sender", { ...call, from: payee }],
    ["no payment", { type: "requireTag", from: hot }],
  ] as const)("refuses a payout with %s", (_, other) => {
    expectRefused(draftOf(other), paying(payout));
  });

  it("refuses a fee above the ceiling, or above its own limit", () => {
    expectRefused(draftOf(call, { feeUnits: 5_001n }), paying(payout));
    const generous = { ...paying(payout), feeCeiling: "1000000000" };
    expectRefused(draftOf(call, { feeUnits: 5_000_001n }), generous);
  });

  it("refuses several payouts, another chain, a token, and other kinds of spends", () => {
    const body = draftOf(call);
    expectRefused(body, paying(payout, payout));
    expectRefused(body, paying());
    expectRefused(body, paying({ ...payout, chain: "XLM" }));
    expectRefused(body, { ...paying(payout), chain: "XLM" });
    expectRefused(body, paying({ ...payout, asset: { kind: "token", locator: "USD" } }));
    expectRefused(body, { ...common, kind: "consolidation" });
    expectRefused(body, { ...common, kind: "top_up", keyIndex: 0, units: "5000000" });
    expectRefused(draftOf({ ...call, to: hot }), { ...common, kind: "sweep", sources: [] });
  });

  const plain = {
    TransactionType: "Payment",
    Account: hot,
    Destination: payee,
    DestinationTag: 7,
    Amount: "5000000",
    Fee: "12",
    Sequence: 42,
    LastLedgerSequence: 99_000_150,
  };
  const usd = { currency: "USD", issuer: payee, value: "5" };

  it.each([
    ["flags", { Flags: 131_072 }],
    ["an issued currency", { Amount: usd }],
    ["a maximum to send", { SendMax: usd }],
    ["a memo", { Memos: [{ Memo: { MemoData: "00" } }] }],
    ["a ticket", { TicketSequence: 5, Sequence: 0 }],
    ["another signing key", { SigningPubKey: `02${"11".repeat(32)}` }],
    ["a source tag", { SourceTag: 1 }],
    ["a delegate", { Delegate: cold }],
    ["the number of a network", { NetworkID: 2_000 }],
    ["no sequence", { Sequence: 0 }],
    ["another type", { TransactionType: "EscrowCreate", FinishAfter: 1 }],
  ])("refuses a transaction with %s", (_, more) => {
    const unsigned = encode({ ...plain, ...more }).toLowerCase();
    expect(encode(plain).toLowerCase()).toBe(draftOf(call)["unsigned"]);
    expectRefused({ ...draftOf(call), unsigned }, paying(payout));
  });

  it("refuses an AccountSet that sets anything else", () => {
    const body = draftOf({ type: "requireTag", from: hot });
    const set = { TransactionType: "AccountSet", Account: hot, Fee: "12", Sequence: 42 };
    for (const more of [
      { SetFlag: 5 },
      { SetFlag: 1, ClearFlag: 3 },
      { SetFlag: 1, Domain: "AB" },
      {},
    ]) {
      const unsigned = encode({ ...set, LastLedgerSequence: 99_000_150, ...more }).toLowerCase();
      expectRefused({ ...body, unsigned }, gap);
    }
  });

  it("requires the number of a network above 1024, and no other", () => {
    const elsewhere = createXrplDraftSigner({
      chain: "XRP",
      network: "main",
      networkId: 21_337,
      coldAddress: null,
    });
    const named = (networkId: number | null): JsonObject => writeBody({ ...rest, networkId, call });
    expect(elsewhere.inspect(named(21_337), paying(payout), keys).feeUnits).toBe(12n);
    for (const networkId of [null, 2_000])
      expect(() => elsewhere.inspect(named(networkId), paying(payout), keys)).toThrow(DraftRefused);
    expectRefused(named(21_337), paying(payout));
  });

  it("signs nothing for an account that is not its own", () => {
    const body = draftOf({ ...call, from: payee });
    expect(() => signer.sign(body, keys)).toThrow("no key for");
    expect(buildUnsigned({ ...rest, call }).length).toBeLessThan(256);
  });

  it("cannot be created with a cold address that is none", () => {
    const create = (coldAddress: string) =>
      createXrplDraftSigner({ chain: "XRP", network: "main", networkId: 0, coldAddress });
    for (const address of [
      "",
      "rNNuQMuExCiEjeZ4h9JJnj5PSWypdMXDj5",
      "XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD2gYsjNFQLKYW33DzBm",
    ])
      expect(() => create(address)).toThrow(RangeError);
  });
});
