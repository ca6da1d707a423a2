import { describe, expect, it } from "vitest";
import { builtInCurrencies, publicMinimums } from "./built-in-currencies.ts";
import {
  type CurrencySettings,
  deploymentCurrencies,
  type TokenSettings,
} from "./deployment-currencies.ts";
import { erc20, tokenOf } from "./token-format.ts";

const contract = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const token: TokenSettings = {
  id: "9001",
  alpha: "GOLD",
  name: "Gold",
  chain: "ETH",
  contract,
  exp: 4,
};

function assemble(
  overrides: readonly CurrencySettings[],
  tokens: readonly TokenSettings[] = [],
  mainnetChains: readonly string[] = [],
) {
  const { currencies, problems } = deploymentCurrencies({
    mainnetChains: new Set(mainnetChains),
    tokens,
    overrides,
  });
  return {
    find: (alpha: string) => currencies.find((currency) => currency.alpha === alpha),
    problems: problems.map(({ path, message }) => `${path.join("/")}: ${message}`),
  };
}

describe("deploymentCurrencies", () => {
  it("uses a main network's contract on that network only", () => {
    const { find, problems } = assemble([], [], ["ETH"]);
    expect(problems).toEqual([]);
    expect(find("USDT-ETH")?.token?.contract).toBe("0xdAC17F958D2ee523a2206206994597C13D831ec7");
    expect(find("USDC-BSC")?.token).toBeNull();
  });

  it("applies the minimums of public networks on main networks only", () => {
    const chains = builtInCurrencies.flatMap(({ kind, alpha }) => (kind === "coin" ? [alpha] : []));
    const [main, other] = [assemble([], [], chains), assemble([])];
    const minimums = (alpha: string) =>
      [main, other].map(({ find }) => find(alpha)?.minimalTransferUnits);
    expect(minimums("BTC")).toEqual([5_000n, 1_000n]);
    expect(minimums("LTC")).toEqual([10_000n, 10_000n]);
    expect(minimums("ETH")).toEqual([150_000_000_000_000n, 10_000_000_000_000n]);
    expect(minimums("USDT-ETH")).toEqual([1_000_000n, 10_000n]);
    const raised = Object.keys(publicMinimums);
    const isRaised = (alpha: string): boolean => {
      const [onMain, elsewhere] = minimums(alpha);
      return (onMain ?? 0n) > (elsewhere ?? 0n);
    };
    expect(raised.filter((alpha) => !isRaised(alpha))).toEqual([]);
    const lowered = assemble([{ currency: "BTC", minimalTransfer: "0.00001" }], [], ["BTC"]);
    expect(lowered.find("BTC")?.minimalTransferUnits).toBe(1_000n);
  });

  it("applies configured contracts, confirmations and minimums", () => {
    const { find, problems } = assemble([
      { currency: "USDT-ETH", contract, confirmationBlocks: 3, minimalTransfer: "1.5" },
    ]);
    expect(problems).toEqual([]);
    expect(find("USDT-ETH")).toMatchObject({
      token: tokenOf(erc20, contract),
      confirmationBlocks: 3,
      minimalTransferUnits: 1_500_000n,
    });
  });

  it("fills a token's missing settings from the chain's coin", () => {
    const { find, problems } = assemble([], [token]);
    expect(problems).toEqual([]);
    expect(find("GOLD")).toEqual({
      id: "9001",
      alpha: "GOLD",
      alias: null,
      name: "Gold",
      pricedAs: null,
      exp: 4,
      kind: "token",
      chain: "ETH",
      parent: "1002",
      token: tokenOf(erc20, contract),
      confirmationBlocks: 12,
      minimalTransferUnits: 1n,
      supplyUnits: 10n ** 17n,
      blockDelay: 12,
      tags: ["erc-20"],
      isStablecoin: false,
    });
  });

  it("uses the configured supply of a token", () => {
    const { find } = assemble([], [{ ...token, supplyMax: "2.5" }]);
    expect(find("GOLD")?.supplyUnits).toBe(25_000n);
  });

  it.each<[CurrencySettings, string]>([
    [{ currency: "NOPE" }, "overrides/0/currency: unknown currency NOPE"],
    [
      { currency: "USD", confirmationBlocks: 1 },
      "overrides/0/currency: USD is a fiat currency, which can't be overridden",
    ],
    [
      { currency: "ETH", confirmationBlocks: 0 },
      "overrides/0/confirmationBlocks: must be an integer from 1 to 10000, not 0",
    ],
    [
      { currency: "ETH", confirmationBlocks: 1.5 },
      "overrides/0/confirmationBlocks: must be an integer from 1 to 10000, not 1.5",
    ],
    [{ currency: "ETH", contract }, "overrides/0/contract: ETH has no contract"],
    [
      { currency: "USDT-ETH", contract: "0x12" },
      'overrides/0/contract: must be 0x and 40 hexadecimal digits, not "0x12"',
    ],
    [
      { currency: "USDT-ETH", contract: "0x5fbDB2315678afecb367f032d93F642f64180aa3" },
      "overrides/0/contract: the EIP-55 checksum of 0x5fbDB2315678afecb367f032d93F642f64180aa3 is wrong; check the address, or write it in lower case",
    ],
    [
      { currency: "USDT-ETH", minimalTransfer: "0.0000001" },
      "overrides/0/minimalTransfer: has more than 6 decimals: 0.0000001",
    ],
    [
      { currency: "USDT-ETH", minimalTransfer: "0" },
      'overrides/0/minimalTransfer: must be a decimal number above zero, not "0"',
    ],
  ])("rejects the override %j", (override, problem) => {
    expect(assemble([override]).problems).toEqual([problem]);
  });

  it.each<[Partial<TokenSettings>, string]>([
    [{ id: "01" }, 'tokens/0/id: must be a number of at most eight digits, not "01"'],
    [{ id: "1002" }, "tokens/0/id: 1002 is already the id of another currency"],
    [{ alpha: "ETH" }, "tokens/0/alpha: ETH is already the code of another currency"],
    [
      { alpha: "g" },
      'tokens/0/alpha: must be 1 to 32 characters of A-Z, 0-9, "." and "-", not "g"',
    ],
    [{ name: " " }, "tokens/0/name: must have 1 to 64 characters"],
    [{ chain: "BTC" }, "tokens/0/chain: tokens cannot be added on BTC"],
    [{ chain: "NOPE" }, "tokens/0/chain: unknown chain NOPE"],
    [{ exp: 31 }, "tokens/0/exp: must be an integer from 0 to 30, not 31"],
    [{ minimalTransfer: "0.00001" }, "tokens/0/minimalTransfer: has more than 4 decimals: 0.00001"],
    [{ supplyMax: "0" }, 'tokens/0/supplyMax: must be a decimal number above zero, not "0"'],
  ])("rejects a token with %j", (change, problem) => {
    expect(assemble([], [{ ...token, ...change }]).problems).toEqual([problem]);
  });

  it("reports all problems at once, including two currencies with the same contract", () => {
    const { problems } = assemble(
      [
        { currency: "USDT-ETH", contract: contract.toLowerCase() },
        { currency: "USDT-ETH", confirmationBlocks: 2 },
        { currency: "NOPE" },
      ],
      [token],
    );
    expect(problems).toEqual([
      "overrides/1/currency: USDT-ETH has two overrides",
      "overrides/2/currency: unknown currency NOPE",
      ": USDT-ETH and GOLD have the same contract on ETH",
    ]);
  });
});
