import { keccak_256 } from "@noble/hashes/sha3.js";
import { describe, expect, it } from "vitest";
import { evmChain } from "../../../test/support/known-chains.ts";
import { transferCall } from "./payment-call.ts";
import { gasLimit, unusedAddress } from "./payment-gas.ts";

describe("gasLimit", () => {
  /* Gas limits for payments, from the node's estimates. */

  const payee = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
  const coin = { to: payee, value: 1n, data: "0x", contract: null, payee };
  const token = transferCall("0xdac17f958d2ee523a2206206994597c13d831ec7", payee, 1n);
  const ethereum = evmChain("ETH");
  const arbitrum = evmChain("ARB");
  const code = "0x6080";

  it.each([
    ["coin to an account", coin, ethereum, "0x", 21_000n, 21_000n, 21_000n],
    ["coin to an account, whatever was estimated", coin, ethereum, "0x", 90_000n, null, 21_000n],
    ["coin to a contract", coin, ethereum, code, 30_000n, 25_000n, 36_000n],
    [
      "coin to a delegated account",
      coin,
      ethereum,
      `0xef0100${"11".repeat(20)}`,
      30_001n,
      null,
      36_002n,
    ],
    [
      "coin to a contract, nothing to estimate it with",
      coin,
      ethereum,
      code,
      null,
      25_000n,
      30_000n,
    ],
    ["coin to a contract that cannot be estimated", coin, ethereum, code, null, null, 60_000n],
    ["a token to an address that holds some", token, ethereum, code, 45_000n, 62_100n, 74_520n],
    ["a token that costs more to this payee", token, ethereum, code, 70_000n, 62_100n, 84_000n],
    ["a token that refuses newcomers", token, ethereum, code, 45_000n, null, 74_520n],
    ["a token that refuses this payee", token, ethereum, code, null, 62_100n, 74_520n],
    ["a token that cannot be estimated", token, ethereum, code, null, null, 100_000n],
    ["coin where data is gas", coin, arbitrum, "0x", 24_000n, 23_000n, 28_800n],
    ["coin where data is gas, unestimated", coin, arbitrum, "0x", null, null, 260_000n],
    ["a token where data is gas, unestimated", token, arbitrum, code, null, null, 300_000n],
  ] as const)("limits the gas of %s", (_case, call, chain, codeThere, direct, other, expected) => {
    const blockGas = 60_000_000n;
    const limit = gasLimit(call, chain, { code: codeThere, direct, other, blockGas });
    expect(limit).toEqual({ gas: expected, isTooMuch: false });
  });

  it.each([
    ["coin to code that takes more", coin, ethereum, 1_000_001n, null, 1_200_002n],
    ["code that takes more than a transaction may", coin, ethereum, 17_000_000n, null, 16_777_216n],
    [
      "a token whose transfer to newcomers takes more",
      token,
      ethereum,
      45_000n,
      1_000_001n,
      1_200_002n,
    ],
    [
      "more than a transaction may, where data is gas",
      coin,
      arbitrum,
      16_777_217n,
      null,
      16_777_216n,
    ],
  ] as const)("says that it is too much for %s", (_case, call, chain, direct, other, gas) => {
    const limit = gasLimit(call, chain, { code, direct, other, blockGas: 60_000_000n });
    expect(limit).toEqual({ gas, isTooMuch: true });
  });

  it("derives the newcomer's address from a hash, so that it has no private key", () => {
    const hash = Buffer.from(keccak_256(new TextEncoder().encode("sluice newcomer")));
    expect(unusedAddress).toBe(`0x${hash.subarray(12).toString("hex")}`);
  });
});
