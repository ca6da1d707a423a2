import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { privateKeyToAccount } from "viem/accounts";
import { bytesToHex, parseTransaction } from "viem/utils";
import { describe, expect, it } from "vitest";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused, type KeyRing } from "../draft-signer.ts";
import type { ApprovedPayout, SpendIntent } from "../intent.ts";
import { deterministicDeployer } from "./deployment.ts";
import { createEvmDraftSigner } from "./draft-signer.ts";
import { addressAt, gasPath, hotPath } from "./own-accounts.ts";
import { type CalledPayment, encodePayMany } from "./pay-many-call.ts";
import { payoutDelegate, payoutDelegateDeployment } from "./payout-delegate.ts";
import { coinAsset } from "./sweep-call.ts";
import { delegateAddress, deploymentData } from "./sweep-delegate.ts";

/*
 * What a compromised worker could ask for: batches that pay something other than their payouts, and delegations of the hot account to
 * other code. Each is refused; the valid ones are signed as viem signs them.
 */

const seed = mnemonicToSeedSync("test test test test test test test test test test test junk");
const keys: KeyRing = { at: (path) => HDKey.fromMasterSeed(seed).derive(path) };
const hot = addressAt(keys, hotPath);
const gas = addressAt(keys, gasPath);
const stranger = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const payee = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const other = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const signer = createEvmDraftSigner({ chain: "ETH", chainId: 1337, coldAddress: null });

const payments: readonly CalledPayment[] = [
  { asset: coinAsset, gas: 0n, receiver: payee, units: 5n },
  { asset: token, gas: 80_000n, receiver: stranger, units: 7n },
  { asset: coinAsset, gas: 0n, receiver: stranger, units: 9n },
];
const payouts = payments.map(
  ({ asset, receiver, units }, place): ApprovedPayout => ({
    payoutId: String(10_000_000 + place),
    chain: "ETH",
    address: receiver,
    tag: null,
    currency: asset === coinAsset ? "1002" : "2015",
    asset: asset === coinAsset ? { kind: "coin" } : { kind: "token", locator: asset },
    units: units.toString(),
    approval: "",
  }),
);
const batchData = encodePayMany(payments);
const batch = draftOf({ data: batchData });

function draftOf(members: JsonObject): JsonObject {
  return {
    type: "eip1559",
    chainId: "1337",
    from: hot,
    nonce: "7",
    to: hot,
    value: "0",
    data: "0x",
    gas: "300000",
    maxFeePerGas: "3000000000",
    maxPriorityFeePerGas: "1000000000",
    dataFee: "0",
    ...members,
  };
}

const ceiling = { spendId: "1", chain: "ETH", feeCeiling: "500000000000000000" };
const paying = (...paid: readonly ApprovedPayout[]): SpendIntent => ({
  ...ceiling,
  kind: "payout",
  payouts: paid,
});
const gap: SpendIntent = { ...ceiling, kind: "gap" };

function expectRefused(body: JsonObject, intent: SpendIntent): void {
  expect(() => signer.inspect(body, intent, keys)).toThrow(DraftRefused);
}

/** The batch with one payment altered. */
function altered(place: number, change: Partial<CalledPayment>): JsonObject {
  const changed = payments.map((payment, at) =>
    at === place ? { ...payment, ...change } : payment,
  );
  return draftOf({ data: encodePayMany(changed) });
}

describe("batches of payouts", () => {
  it("are signed if they make exactly the payments of their payouts, in order", () => {
    expect(signer.inspect(batch, paying(...payouts), keys)).toEqual({
      claims: [`${hot}#7`],
      feeUnits: 300_000n * 3_000_000_000n,
    });
    const { raw } = signer.sign(batch, keys);
    const parsed = parseTransaction(bytesToHex(raw));
    expect(parsed).toMatchObject({ type: "eip1559", to: hot, data: batch["data"], nonce: 7 });
  });

  it.each<[string, JsonObject]>([
    ["another receiver", altered(0, { receiver: stranger })],
    ["another amount", altered(0, { units: 6n })],
    ["another token", altered(1, { asset: other })],
    ["coin for a token", altered(1, { asset: coinAsset })],
    ["a token for coin", altered(0, { asset: token })],
    ["more gas than any payment needs", altered(1, { gas: 5_000_001n })],
    ["one payment more", draftOf({ data: encodePayMany([...payments, ...payments.slice(0, 1)]) })],
    ["one payment less", draftOf({ data: encodePayMany(payments.slice(1)) })],
    ["another order", draftOf({ data: encodePayMany(payments.toReversed()) })],
    ["another contract", { ...batch, to: stranger }],
    ["the contract itself", { ...batch, to: payoutDelegate }],
    ["coin", { ...batch, value: "1" }],
    ["another selector", { ...batch, data: `0x02711fa7${batchData.slice(10)}` }],
    ["data behind the payments", { ...batch, data: `${batchData}00` }],
    ["a whole record behind them", { ...batch, data: batchData + "00".repeat(36) }],
    ["no data", { ...batch, data: "0x" }],
    ["another chain", { ...batch, chainId: "1" }],
    ["the gas account", { ...batch, from: gas, to: gas }],
  ])("are refused with %s", (_name, body) => {
    expectRefused(body, paying(...payouts));
  });

  it("are refused in another encoding of the same payments", () => {
    const data = batchData;
    const [assets, rest] = [data.slice(12, 12 + 96), data.slice(12 + 96)];
    const swapped = assets.slice(48) + assets.slice(0, 48);
    const places = rest.replace(
      /.{72}/g,
      (text) => (text.startsWith("00") ? "01" : "00") + text.slice(2),
    );
    expectRefused(
      { ...batch, data: `${data.slice(0, 12)}${swapped}${places}` },
      paying(...payouts),
    );
    const unused = `${data.slice(0, 10)}03${assets}${other.slice(2)}00000000${rest}`;
    expectRefused({ ...batch, data: unused }, paying(...payouts));
  });

  it("never pay the account itself or call it as a token", () => {
    const first = present(payouts[0], "a payout");
    const second = present(payouts[1], "a payout");
    expectRefused(
      altered(0, { receiver: hot }),
      paying({ ...first, address: hot }, ...payouts.slice(1)),
    );
    const asset = { kind: "token", locator: hot } as const;
    expectRefused(
      altered(1, { asset: hot }),
      paying(first, { ...second, asset }, ...payouts.slice(2)),
    );
  });

  it("are no way to make one payout twice, or to pay one payout alone", () => {
    const [first] = payments;
    const one = draftOf({ data: encodePayMany([present(first, "a payment")]) });
    expectRefused(one, paying(present(payouts[0], "a payout")));
    expectRefused(batch, gap);
    expectRefused(batch, { ...ceiling, kind: "cold", asset: { kind: "coin" }, units: "5" });
  });
});

const setUp: JsonObject = {
  ...draftOf({ to: deterministicDeployer, data: payoutDelegateDeployment }),
  type: "selfDelegation",
  delegate: payoutDelegate,
};

describe("the delegation of the hot account", () => {
  it("is signed for the one contract, with the deployment of that contract or nothing, and claims two nonces", () => {
    const claims = [`${hot}#7`, `${hot}#8`];
    for (const body of [setUp, { ...setUp, to: hot, data: "0x" }]) {
      expect(signer.inspect(body, gap, keys)).toMatchObject({ claims, decisive: [`${hot}#7`] });
      const { raw } = signer.sign(body, keys);
      const parsed = parseTransaction(bytesToHex(raw));
      expect(parsed).toMatchObject({ type: "eip7702", to: body["to"], nonce: 7, chainId: 1337 });
      const { authorizationList = [] } = parsed as { authorizationList?: readonly object[] };
      expect(authorizationList).toHaveLength(1);
      expect(authorizationList[0]).toMatchObject({
        address: payoutDelegate,
        chainId: 1337,
        nonce: 8,
      });
    }
  });

  it("is signed as viem signs it", async () => {
    const { privateKey } = keys.at(hotPath);
    const account = privateKeyToAccount(bytesToHex(present(privateKey, "a key")));
    const authorization = await account.signAuthorization({
      address: payoutDelegate as `0x${string}`,
      chainId: 1337,
      nonce: 8,
    });
    const expected = await account.signTransaction({
      type: "eip7702",
      chainId: 1337,
      nonce: 7,
      to: deterministicDeployer,
      data: payoutDelegateDeployment as `0x${string}`,
      gas: 300_000n,
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      authorizationList: [authorization],
    });
    expect(bytesToHex(signer.sign(setUp, keys).raw)).toBe(expected);
  });

  it.each<[string, JsonObject]>([
    ["another contract", { ...setUp, delegate: stranger }],
    ["the sweeps' delegate", { ...setUp, delegate: delegateAddress({ hot, gas }) }],
    ["no contract", { ...setUp, delegate: coinAsset }],
    ["another deployment", { ...setUp, data: deploymentData({ hot, gas }) }],
    ["a call", { ...setUp, to: token, data: "0x" }],
    ["a batch in the same transaction", { ...setUp, to: hot, data: batchData }],
    ["coin", { ...setUp, value: "1" }],
    ["another account", { ...setUp, from: gas }],
    ["another chain", { ...setUp, chainId: "1" }],
    ["a further member", { ...setUp, authorizations: [] }],
  ])("is refused to or with %s", (_name, body) => {
    expectRefused(body, gap);
  });

  it("is refused as a payout, or as the end of a deposit address's delegation", () => {
    expectRefused(setUp, paying(...payouts));
    expectRefused(setUp, { ...ceiling, kind: "undelegate", keyIndexes: [0] });
    expect(() => signer.sign({ ...setUp, delegate: stranger }, keys)).toThrow(DraftRefused);
  });

  it("may be preceded by the deployment of the sweeps' delegate, by the hot account and for it alone", () => {
    const deployment = draftOf({ to: deterministicDeployer, data: deploymentData({ hot, gas }) });
    expect(signer.inspect(deployment, gap, keys).claims).toEqual([`${hot}#7`]);
    expectRefused({ ...deployment, from: gas }, gap);
    expectRefused({ ...deployment, data: deploymentData({ hot: stranger, gas }) }, gap);
    expectRefused({ ...deployment, data: payoutDelegateDeployment }, gap);
  });
});
