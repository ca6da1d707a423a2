import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { privateKeyToAccount } from "viem/accounts";
import { encodeFunctionData, keccak256, parseTransaction } from "viem/utils";
import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { DraftRefused, type KeyRing } from "../draft-signer.ts";
import type { ApprovedPayout, SpendIntent } from "../intent.ts";
import { createEvmDraftSigner } from "./draft-signer.ts";
import { transferData } from "./inspect-payment.ts";
import { addressAt, depositPath, gasPath, hotPath } from "./own-accounts.ts";

/* Signatures are compared with viem's own; each member of a valid draft is altered alone. */

const seed = mnemonicToSeedSync("test test test test test test test test test test test junk");
const keys: KeyRing = { at: (path) => HDKey.fromMasterSeed(seed).derive(path) };
const hot = addressAt(keys, hotPath);
const gas = addressAt(keys, gasPath);
const payee = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const stranger = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const token = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const cold = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

const signer = createEvmDraftSigner({ chain: "ETH", chainId: 1337, coldAddress: cold });

const draft: JsonObject = {
  type: "eip1559",
  chainId: "1337",
  from: hot,
  nonce: "7",
  to: payee,
  value: "1000000000000000000",
  data: "0x",
  gas: "21000",
  maxFeePerGas: "3000000000",
  maxPriorityFeePerGas: "1000000000",
  dataFee: "0",
};
const legacyDraft: JsonObject = {
  ...without(draft, "maxFeePerGas", "maxPriorityFeePerGas"),
  type: "legacy",
  gasPrice: "3000000000",
};
const transferCall = transferData(payee.toLowerCase(), 5_000_000n);
const tokenDraft: JsonObject = {
  ...draft,
  to: token,
  value: "0",
  data: transferCall,
  gas: "80000",
};

const payout: ApprovedPayout = {
  payoutId: "12345678",
  chain: "ETH",
  address: payee,
  tag: null,
  currency: "1002",
  asset: { kind: "coin" },
  units: "1000000000000000000",
  approval: "",
};
const tokenPayout: ApprovedPayout = {
  ...payout,
  currency: "2015",
  asset: { kind: "token", locator: token },
  units: "5000000",
};

const ceiling = { spendId: "1", chain: "ETH", feeCeiling: "500000000000000" };
const paying = (...payouts: readonly ApprovedPayout[]): SpendIntent => ({
  ...ceiling,
  kind: "payout",
  payouts,
});

describe("the draft signer of EVM chains", () => {
  it("accepts an intended payout of coin, of a token, and in a legacy transaction", () => {
    const claims = [`${hot}#7`];
    const feeUnits = 21_000n * 3_000_000_000n;
    expect(signer.inspect(draft, paying(payout), keys)).toEqual({ claims, feeUnits });
    expect(signer.inspect(legacyDraft, paying(payout), keys)).toEqual({ claims, feeUnits });
    expect(signer.inspect(tokenDraft, paying(tokenPayout), keys)).toEqual({
      claims,
      feeUnits: 80_000n * 3_000_000_000n,
    });
  });

  it("encodes a token transfer as the ABI says", () => {
    const abi = [
      {
        type: "function",
        name: "transfer",
        stateMutability: "nonpayable",
        inputs: [{ type: "address" }, { type: "uint256" }],
        outputs: [],
      },
    ] as const;
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }), (units) => {
        const encoded = encodeFunctionData({ abi, functionName: "transfer", args: [payee, units] });
        expect(transferData(payee.toLowerCase(), units)).toBe(encoded);
      }),
    );
  });

  it.each(Object.keys(draft))("refuses a draft without %s", (name) => {
    expectRefused(without(draft, name), paying(payout));
  });

  it.each<readonly [string, JsonObject]>([
    ["another chain id", { chainId: "1" }],
    ["a foreign sender", { from: stranger }],
    ["the gas account as sender", { from: gas }],
    ["a deposit address as sender", { from: addressAt(keys, depositPath(0)) }],
    ["another receiver", { to: stranger }],
    ["no receiver", { to: null }],
    ["an empty receiver", { to: "" }],
    ["a receiver of 19 bytes", { to: payee.slice(0, 40) }],
    ["a unit more", { value: "1000000000000000001" }],
    ["a unit less", { value: "999999999999999999" }],
    ["no amount", { value: "0" }],
    ["data", { data: "0x00" }],
    ["an additional token transfer", { data: transferData(stranger, 1n) }],
    ["data that is not hexadecimal", { data: "0xg0" }],
    ["half a byte of data", { data: "0x0" }],
    ["a fee above the ceiling", { maxFeePerGas: "23809523810" }],
    ["gas above the ceiling", { gas: "166667" }],
    ["a priority fee above the fee", { maxPriorityFeePerGas: "3000000001" }],
    ["a nonce beyond the last one", { nonce: "18446744073709551615" }],
    ["an amount of more than 256 bits", { value: (2n ** 256n).toString() }],
    ["hex instead of decimals", { nonce: "0x7" }],
    ["a number instead of text", { nonce: 7 }],
    ["a leading zero", { nonce: "07" }],
    ["a negative number", { value: "-1" }],
    ["an authorization list", { authorizationList: [] }],
    ["an access list", { accessList: [] }],
    ["an unknown member", { memo: "" }],
    ["an unknown member at the end", { zeta: "" }],
    ["another type", { type: "eip7702" }],
    ["a type named like an object property", { type: "constructor" }],
    ["a numeric type", { type: 2 }],
    ["an additional gas price", { gasPrice: "3000000000" }],
    ["no estimate of the data fee", { dataFee: "" }],
  ])("refuses a payout of coin with %s", (_case, altered) => {
    expectRefused({ ...draft, ...altered }, paying(payout));
  });

  it.each<readonly [string, JsonObject]>([
    ["another contract", { to: stranger }],
    ["the payee as receiver of a call", { to: payee }],
    ["additional coin", { value: "1" }],
    ["no call", { data: "0x" }],
    ["another payee", { data: transferData(stranger, 5_000_000n) }],
    ["a unit more", { data: transferData(payee.toLowerCase(), 5_000_001n) }],
    ["approve instead", { data: selected("0x095ea7b3") }],
    ["transferFrom instead", { data: selected("0x23b872dd") }],
    ["data after the call", { data: `${transferCall}00` }],
    ["only a selector", { data: "0xa9059cbb" }],
  ])("refuses a payout of a token with %s", (_case, altered) => {
    expectRefused({ ...tokenDraft, ...altered }, paying(tokenPayout));
  });

  it.each<readonly [string, SpendIntent]>([
    ["no payout", paying()],
    ["two payouts", paying(payout, { ...payout, payoutId: "2" })],
    ["a payout of another chain", paying({ ...payout, chain: "BNB-BSC" })],
    ["a tag", paying({ ...payout, tag: "1" })],
    ["no amount", paying({ ...payout, units: "0" })],
    ["a malformed amount", paying({ ...payout, units: "1e18" })],
    ["a malformed address", paying({ ...payout, address: "payee" })],
    ["another asset", paying(tokenPayout)],
    ["another chain", { ...paying(payout), chain: "BNB-BSC" }],
    ["a malformed ceiling", { ...paying(payout), feeCeiling: "1e18" }],
    ["a ceiling below the fee", { ...paying(payout), feeCeiling: "62999999999999" }],
    ["a kind that this chain does not support", { ...ceiling, kind: "consolidation" }],
  ])("refuses an intent with %s", (_case, intent) => {
    expectRefused(draft, intent);
  });

  it("pays only the configured cold address, and nothing without one", () => {
    const intent: SpendIntent = {
      ...ceiling,
      kind: "cold",
      asset: { kind: "coin" },
      units: "1000000000000000000",
    };
    const toCold = { ...draft, to: cold };
    expect(signer.inspect(toCold, intent, keys).claims).toEqual([`${hot}#7`]);
    expectRefused(draft, intent);
    expectRefused({ ...toCold, value: "1" }, intent);
    const none = createEvmDraftSigner({ chain: "ETH", chainId: 1337, coldAddress: null });
    expect(() => none.inspect(toCold, intent, keys)).toThrow(DraftRefused);
    const tokens: SpendIntent = {
      ...intent,
      asset: { kind: "token", locator: token },
      units: "5",
    };
    const data = transferData(cold.toLowerCase(), 5n);
    expect(signer.inspect({ ...tokenDraft, data }, tokens, keys).claims).toEqual([`${hot}#7`]);
    expectRefused({ ...tokenDraft, data: transferData(payee.toLowerCase(), 5n) }, tokens);
  });

  it("fills a gap with an empty transaction from one of our accounts to itself", () => {
    const intent: SpendIntent = { ...ceiling, kind: "gap" };
    const gap = { ...draft, to: hot, value: "0" };
    expect(signer.inspect(gap, intent, keys).claims).toEqual([`${hot}#7`]);
    expect(signer.inspect({ ...gap, from: gas, to: gas }, intent, keys).claims).toEqual([
      `${gas}#7`,
    ]);
    expectRefused({ ...gap, to: gas }, intent);
    expectRefused({ ...gap, value: "1" }, intent);
    expectRefused({ ...gap, data: "0x00" }, intent);
    expectRefused({ ...gap, from: stranger, to: stranger }, intent);
  });

  it("never signs for an account that is not ours", () => {
    expect(() => signer.sign({ ...draft, from: stranger }, keys)).toThrow(DraftRefused);
    expect(() => signer.sign({ ...draft, type: "constructor" }, keys)).toThrow(DraftRefused);
  });

  const word = fc.bigInt({ min: 0n, max: 2n ** 128n });
  const anyDraft = fc
    .record({
      type: fc.constantFrom("eip1559" as const, "legacy" as const),
      chainId: fc.integer({ min: 1, max: 2 ** 40 }),
      nonce: fc.integer({ min: 0, max: 2 ** 40 }),
      to: fc.constantFrom(payee, token, `0x${"00".repeat(19)}01`),
      value: word,
      data: fc.uint8Array({ maxLength: 200 }),
      gas: fc.bigInt({ min: 0n, max: 30_000_000n }),
      price: word,
      tipPercent: fc.bigInt({ min: 0n, max: 100n }),
    })
    .map((fields) => ({ ...fields, data: `0x${Buffer.from(fields.data).toString("hex")}` }));

  it("matches another implementation's signatures and ids, and gives the same ones each time", async () => {
    const { privateKey } = keys.at(hotPath);
    const account = privateKeyToAccount(`0x${Buffer.from(privateKey ?? []).toString("hex")}`);
    expect(account.address.toLowerCase()).toBe(hot);
    await fc.assert(
      fc.asyncProperty(anyDraft, async ({ price, tipPercent, type, ...fields }) => {
        const tip = (price * tipPercent) / 100n;
        const fees: Record<string, bigint> =
          type === "legacy"
            ? { gasPrice: price }
            : { maxFeePerGas: price, maxPriorityFeePerGas: tip };
        const body = {
          ...texts({ ...fields, ...fees }),
          type,
          from: hot,
          to: fields.to,
          data: fields.data,
          dataFee: "0",
        };
        const { raw, txid } = signer.sign(body, keys);
        expect(signer.sign(body, keys).raw).toEqual(raw);
        const theirs = await account.signTransaction({ ...fields, ...fees, type } as never);
        const hex = `0x${Buffer.from(raw).toString("hex")}` as const;
        expect(hex).toBe(theirs);
        expect(txid).toBe(keccak256(hex));
        expect(parseTransaction(hex).chainId).toBe(fields.chainId);
      }),
      { numRuns: 60 },
    );
  });

  /** EIP-155's own example: nonce 9, 20 gwei, 21000 gas, one ether, chain id 1. */
  it("matches EIP-155's example byte for byte", () => {
    const body = {
      ...legacyDraft,
      chainId: "1",
      nonce: "9",
      gasPrice: "20000000000",
      to: "0x3535353535353535353535353535353535353535",
    };
    const example: KeyRing = {
      at: () =>
        new HDKey({ privateKey: new Uint8Array(32).fill(0x46), chainCode: new Uint8Array(32) }),
    };
    const from = addressAt(example, hotPath);
    const { raw } = signer.sign({ ...body, from }, example);
    expect(Buffer.from(raw).toString("hex")).toBe(
      "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a7640000" +
        "8025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276" +
        "a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83",
    );
  });
});

function texts(
  fields: Readonly<Record<string, number | bigint | string>>,
): Record<string, JsonValue> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}

function without(body: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/** The same arguments under another selector. */
function selected(selector: string): string {
  return `${selector}${transferCall.slice(10)}`;
}

function expectRefused(body: JsonObject, intent: SpendIntent): void {
  expect(() => signer.inspect(body, intent, keys)).toThrow(DraftRefused);
}
