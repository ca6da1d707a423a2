import { expect, it } from "vitest";
import type { Config } from "./config.ts";
import { isSandbox } from "./is-sandbox.ts";

it.each([
  [["regtest", "regtest"], true],
  [["regtest", "testnet"], false],
  [["mainnet"], false],
  [[], false],
] as const)("a deployment with the networks %j is a sandbox: %s", (networks, expected) => {
  const chains = networks.map((network, place) => [`C${place}`, { network }] as const);
  expect(isSandbox({ chains: Object.fromEntries(chains) as unknown as Config["chains"] })).toBe(
    expected,
  );
});
