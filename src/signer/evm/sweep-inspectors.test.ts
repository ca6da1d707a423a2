import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import type { Abi, Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import {
  encodeFunctionData,
  keccak256,
  parseTransaction,
  recoverAuthorizationAddress,
} from "viem/utils";
import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import artifacts from "../../chains/evm/artifacts.gen.json" with { type: "json" };
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { DraftRefused, type KeyRing } from "../draft-signer.ts";
import type { SpendIntent, SweepSource } from "../intent.ts";
import { deterministicDeployer } from "./deployment.ts";
import { createEvmDraftSigner } from "./draft-signer.ts";
import { transferData } from "./inspect-payment.ts";
import { addressAt, depositPath, gasPath, hotPath } from "./own-accounts.ts";
import { coinAsset, decodeSweepMany, encodeSweepMany } from "./sweep-call.ts";
import { delegateAddress, deploymentData } from "./sweep-delegate.ts";

/*
 * Encodings and signatures are compared with viem's own. Every alteration would send money, or control of an address,
 * elsewhere.
 */

const seed = mnemonicToSeedSync("test test test test test test test test test test test junk");
const keys: KeyRing = { at: (path) => HDKey.fromMasterSeed(seed).derive(path) };
const hot = addressAt(keys, hotPath);
const gas = addressAt(keys, gasPath);
const first = addressAt(keys, depositPath(100));
const second = addressAt(keys, depositPath(101));
const delegate = delegateAddress({ hot, gas });
const stranger = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const usdt = "0xdac17f958d2ee523a2206206994597c13d831ec7";

const signer = createEvmDraftSigner({ chain: "ETH", chainId: 1337, coldAddress: null });

const common = { spendId: "1", chain: "ETH", feeCeiling: "10000000000000000" };
const token = { kind: "token", locator: "0xdAC17F958D2ee523a2206206994597C13D831ec7" } as const;
const sources: readonly SweepSource[] = [
  { keyIndex: 100, address: first, assets: [token] },
  { keyIndex: 101, address: second, assets: [token, { kind: "coin" }] },
];
const sweeping = (of = sources): SpendIntent => ({ ...common, kind: "sweep", sources: of });

const call: JsonObject = {
  type: "eip1559",
  chainId: "1337",
  from: gas,
  nonce: "7",
  to: delegate,
  value: "0",
  data: encodeSweepMany(
    [
      { assets: [usdt], deposits: [first] },
      { assets: [usdt, coinAsset], deposits: [second] },
    ],
    100_000n,
  ),
  gas: "900000",
  maxFeePerGas: "3000000000",
  maxPriorityFeePerGas: "1000000000",
  dataFee: "0",
};
const batch: JsonObject = {
  ...call,
  type: "eip7702",
  authorizations: [
    { keyIndex: 100, delegate, nonce: "0" },
    { keyIndex: 101, delegate, nonce: "3" },
  ],
};

describe("the inspection of sweeps", () => {
  it("reads the claims of the gas account and of each authority, and the fee of a batch", () => {
    expect(signer.inspect(batch, sweeping(), keys)).toEqual({
      claims: [`${gas}#7`, `${first}#0`, `${second}#3`],
      decisive: [`${gas}#7`],
      feeUnits: 900_000n * 3_000_000_000n,
    });
    expect(signer.inspect(call, sweeping(), keys).claims).toEqual([`${gas}#7`]);
  });

  it("signs a batch as viem reads it, each authorization by its own deposit address and for this chain id", async () => {
    const { txid, raw } = signer.sign(batch, keys);
    const serialized: Hex = `0x${Buffer.from(raw).toString("hex")}`;
    expect(txid).toBe(keccak256(serialized));
    const parsed = parseTransaction(serialized as `0x04${string}`);
    expect(parsed).toMatchObject({ type: "eip7702", chainId: 1337, nonce: 7, to: delegate });
    expect(parsed.authorizationList.map(({ chainId, nonce }) => [chainId, nonce])).toEqual([
      [1337, 0],
      [1337, 3],
    ]);
    const signers = await Promise.all(
      parsed.authorizationList.map((authorization) =>
        recoverAuthorizationAddress({ authorization }),
      ),
    );
    expect(signers.map((address) => address.toLowerCase())).toEqual([first, second]);
    expect(signer.sign(batch, keys).txid).toBe(txid);
  });

  it("signs an authorization as viem does", async () => {
    const key: Hex = `0x${Buffer.from(keys.at(depositPath(101)).privateKey ?? []).toString("hex")}`;
    const account = privateKeyToAccount(key);
    const expected = await account.signAuthorization({
      address: delegate as Hex,
      chainId: 1337,
      nonce: 3,
    });
    const raw: Hex = `0x${Buffer.from(signer.sign(batch, keys).raw).toString("hex")}`;
    const [, signed] = parseTransaction(raw as `0x04${string}`).authorizationList;
    expect(signed).toMatchObject({ r: expected.r, s: expected.s, yParity: expected.yParity });
  });

  const changed = (members: JsonObject): JsonObject => ({ ...batch, ...members });
  const authorizing = (...authorizations: readonly JsonValue[]): JsonObject =>
    changed({ authorizations });
  const valid = { keyIndex: 100, delegate, nonce: "0" };
  const calling = (...groups: Parameters<typeof encodeSweepMany>[0]): JsonObject =>
    changed({ data: encodeSweepMany(groups, 100_000n) });

  it.each<readonly [string, JsonObject]>([
    ["another chain id", changed({ chainId: "1" })],
    ["chain id 0", changed({ chainId: "0" })],
    ["the hot account as sender", changed({ from: hot })],
    ["another contract", changed({ to: stranger })],
    ["coin attached", changed({ value: "1" })],
    ["another call of the delegate", changed({ data: "0x7cd83b55" })],
    ["data after the call", changed({ data: `${call["data"] as string}${"0".repeat(64)}` })],
    ["a truncated call", changed({ data: (call["data"] as string).slice(0, -64) })],
    ["an address left out", calling({ assets: [usdt], deposits: [first] })],
    [
      "an additional address",
      calling(
        { assets: [usdt], deposits: [first, stranger] },
        { assets: [usdt, coinAsset], deposits: [second] },
      ),
    ],
    [
      "another token",
      calling(
        { assets: [stranger], deposits: [first] },
        { assets: [usdt, coinAsset], deposits: [second] },
      ),
    ],
    ["another delegate", authorizing({ ...valid, delegate: stranger })],
    ["a delegation to the zero address", authorizing({ ...valid, delegate: coinAsset })],
    ["an address that is not swept", authorizing({ ...valid, keyIndex: 102 })],
    ["a repeated address", authorizing(valid, { ...valid, nonce: "1" })],
    ["a hardened key", authorizing({ ...valid, keyIndex: 2 ** 31 })],
    ["a key index that is not a number", authorizing({ ...valid, keyIndex: "100" })],
    ["an authorization with a chain id of its own", authorizing({ ...valid, chainId: "0" })],
    ["no authorization in a type that needs one", authorizing()],
    ["a fee above the ceiling", changed({ gas: "9000000" })],
    ["an unknown member", changed({ accessList: [] })],
  ])("refuses a batch with %s", (_, body) => {
    expect(() => signer.inspect(body, sweeping(), keys)).toThrow(DraftRefused);
  });

  it("refuses a source whose address does not match its index", () => {
    const foreign = [{ keyIndex: 100, address: stranger, assets: [token] }];
    expect(() => signer.inspect(batch, sweeping(foreign), keys)).toThrow(DraftRefused);
    const twice = [...sources, ...sources];
    expect(() => signer.inspect(batch, sweeping(twice), keys)).toThrow(DraftRefused);
  });

  const deployment: JsonObject = {
    ...call,
    to: deterministicDeployer,
    data: deploymentData({ hot, gas }),
  };

  it("accepts a sweep without sources only as the delegate's deployment, for our own hot account", () => {
    expect(signer.inspect(deployment, sweeping([]), keys).claims).toEqual([`${gas}#7`]);
    const forStranger = { ...deployment, data: deploymentData({ hot: stranger, gas }) };
    const byStranger = { ...deployment, data: deploymentData({ hot, gas: stranger }) };
    const elsewhere = { ...deployment, to: stranger };
    const authorizes = { ...deployment, type: "eip7702", authorizations: [valid] };
    for (const body of [forStranger, byStranger, elsewhere, authorizes, batch, call])
      expect(() => signer.inspect(body, sweeping([]), keys)).toThrow(DraftRefused);
  });

  const single: JsonObject = {
    ...call,
    type: "deposit",
    keyIndex: 100,
    from: first,
    to: usdt,
    data: transferData(hot, 5n),
  };
  const ofToken = sweeping([{ keyIndex: 100, address: first, assets: [token] }]);
  const singleCoin: JsonObject = { ...single, to: hot, value: "5", data: "0x" };
  const ofCoin = sweeping([{ keyIndex: 100, address: first, assets: [{ kind: "coin" }] }]);

  it("lets an address sweep itself: one token, or the coin, to the hot account", () => {
    const claims = [`${first}#7`];
    expect(signer.inspect(single, ofToken, keys).claims).toEqual(claims);
    expect(signer.inspect(singleCoin, ofCoin, keys).claims).toEqual(claims);
    const raw: Hex = `0x${Buffer.from(signer.sign(single, keys).raw).toString("hex")}`;
    expect(parseTransaction(raw as `0x02${string}`)).toMatchObject({ type: "eip1559", to: usdt });
  });

  it.each<readonly [string, JsonObject, SpendIntent]>([
    ["a token to another address", { ...single, data: transferData(stranger, 5n) }, ofToken],
    [
      "an allowance instead of a transfer",
      { ...single, data: `0x095ea7b3${transferData(hot, 5n).slice(10)}` },
      ofToken,
    ],
    ["another token", { ...single, to: stranger }, ofToken],
    ["coin beside the token", { ...single, value: "1" }, ofToken],
    ["coin to another address", { ...singleCoin, to: stranger }, ofCoin],
    ["coin with data", { ...singleCoin, data: "0x00" }, ofCoin],
    ["the token instead of coin", single, ofCoin],
    ["another address of ours", { ...single, keyIndex: 101 }, ofToken],
    ["the hot account's funds", { ...single, from: hot }, ofToken],
    ["two sources", single, sweeping()],
    ["another chain", { ...single, chainId: "1" }, ofToken],
  ])("refuses an address that sweeps itself with %s", (_, body, intent) => {
    expect(() => signer.inspect(body, intent, keys)).toThrow(DraftRefused);
  });

  const topUp: JsonObject = { ...call, to: first, value: "1000", data: "0x", gas: "21000" };
  const toppingUp: SpendIntent = { ...common, kind: "top_up", keyIndex: 100, units: "1000" };

  it("accepts a top-up of the intended amount to a deposit address of ours, within bounds", () => {
    expect(signer.inspect(topUp, toppingUp, keys).claims).toEqual([`${gas}#7`]);
    const above = (5n * 10n ** 16n + 1n).toString();
    const refused: readonly (readonly [JsonObject, SpendIntent])[] = [
      [{ ...topUp, to: stranger }, toppingUp],
      [{ ...topUp, to: second }, toppingUp],
      [{ ...topUp, value: "1001" }, toppingUp],
      [{ ...topUp, data: "0x00" }, toppingUp],
      [{ ...topUp, from: hot }, toppingUp],
      [
        { ...topUp, value: above },
        { ...toppingUp, units: above },
      ],
      [topUp, { ...toppingUp, keyIndex: -1 }],
    ];
    for (const [body, intent] of refused)
      expect(() => signer.inspect(body, intent, keys)).toThrow(DraftRefused);
  });

  const ending: JsonObject = {
    ...changed({ to: gas, data: "0x" }),
    authorizations: [
      { keyIndex: 100, delegate: coinAsset, nonce: "1" },
      { keyIndex: 101, delegate: coinAsset, nonce: "4" },
    ],
  };
  const undelegating: SpendIntent = { ...common, kind: "undelegate", keyIndexes: [100, 101] };

  it("ends delegations by authorizing the zero address, and does nothing else", () => {
    expect(signer.inspect(ending, undelegating, keys)).toMatchObject({
      claims: [`${gas}#7`, `${first}#1`, `${second}#4`],
      decisive: [`${gas}#7`],
    });
    const refused: readonly (readonly [JsonObject, SpendIntent])[] = [
      [{ ...ending, to: stranger }, undelegating],
      [{ ...ending, value: "1" }, undelegating],
      [{ ...ending, data: "0x00" }, undelegating],
      [ending, { ...undelegating, keyIndexes: [100] }],
      [ending, { ...undelegating, keyIndexes: [101, 100] }],
      [{ ...batch, to: gas, data: "0x" }, undelegating],
    ];
    for (const [body, intent] of refused)
      expect(() => signer.inspect(body, intent, keys)).toThrow(DraftRefused);
  });

  const anyAddress = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);

  it("encodes and reads sweepMany as viem encodes it", () => {
    const { abi } = artifacts.SweepDelegate;
    const group = fc.record({
      assets: fc.array(anyAddress, { maxLength: 4 }),
      deposits: fc.array(anyAddress, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(
        fc.array(group, { maxLength: 4 }),
        fc.bigInt({ min: 0n, max: 2n ** 64n }),
        (groups, gasEach) => {
          const data = encodeFunctionData({
            abi: abi as Abi,
            functionName: "sweepMany",
            args: [groups, gasEach],
          });
          expect(encodeSweepMany(groups, gasEach)).toBe(data);
          expect(decodeSweepMany(data)).toEqual(groups);
        },
      ),
    );
  });
});
