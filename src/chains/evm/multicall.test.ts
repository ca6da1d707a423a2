import {
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  multicall3Abi,
  parseAbi,
} from "viem";
import { describe, expect, it } from "vitest";
import { balancesCall, balancesIn, multicall } from "./multicall.ts";

/* The encoding of Multicall3's calls and results, against viem's. */

const addresses = Array.from({ length: 300 }, (_, index) =>
  getAddress(`0x${(index + 1).toString(16).padStart(39, "0")}a`),
);
const token = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

function encodedByViem(target: Hex, signature: string, holders: readonly Hex[]): Hex {
  const abi = parseAbi([signature]);
  const calls = holders.map((holder) => ({
    target,
    allowFailure: false,
    callData: encodeFunctionData({ abi, args: [holder] } as never),
  }));
  return encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [calls] });
}

describe("balancesCall", () => {
  it.each([0, 1, 300])("asks for the coin balances of %i addresses", (count) => {
    const holders = addresses.slice(0, count);
    const signature = "function getEthBalance(address addr) view returns (uint256)";
    expect(balancesCall(null, holders)).toBe(encodedByViem(multicall, signature, holders));
  });

  it.each([0, 1, 300])("asks for the token balances of %i addresses", (count) => {
    const holders = addresses.slice(0, count);
    const signature = "function balanceOf(address holder) view returns (uint256)";
    expect(balancesCall(token, holders)).toBe(encodedByViem(token, signature, holders));
  });
});

describe("balancesIn", () => {
  const units = [0n, 1n, 2n ** 256n - 1n];
  const returned = (results: readonly (readonly [boolean, Hex])[]): Hex =>
    encodeAbiParameters(
      [{ type: "tuple[]", components: [{ type: "bool" }, { type: "bytes" }] }],
      [results],
    );
  const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;

  it("reads each balance, whatever follows it", () => {
    expect(balancesIn(returned(units.map((each) => [true, word(each)])))).toEqual(units);
    expect(balancesIn(returned([[true, `${word(7n)}ff`]]))).toEqual([7n]);
    expect(balancesIn(returned([]))).toEqual([]);
  });

  it.each<[string, Hex]>([
    ["nothing", "0x"],
    ["one word", word(32n)],
    ["a failed call", returned([[false, word(1n)]])],
    ["a call that returned nothing", returned([[true, "0x"]])],
    ["a cut off result", returned(units.map((each) => [true, word(each)])).slice(0, -2) as Hex],
    ["more results than data", `${word(32n)}${word(2n ** 255n).slice(2)}`],
    ["an offset beyond the data", `${word(2n ** 200n)}${word(1n).slice(2)}`],
  ])("returns null for %s", (_, data) => {
    expect(balancesIn(data)).toBeNull();
  });
});
