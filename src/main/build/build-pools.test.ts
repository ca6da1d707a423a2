import { expect, it } from "vitest";
import type { AccountReadiness } from "../../chains/paying-port.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import type { FollowedChain } from "./build-adapters.ts";
import { buildPools } from "./build-pools.ts";
import type { Foundation } from "./foundation.ts";

const { signal } = new AbortController();

it.each<[AccountReadiness, boolean]>([
  ["missing", false],
  ["needsFunds", false],
  ["needsSetUp", false],
  // An issuer that forbids one token stops no other currency of the account.
  ["unauthorized", true],
  ["ready", true],
])("gives out addresses of a shared account that is %s: %s", async (readiness, isOpen) => {
  const warned: string[] = [];
  const logger = { ...silentLogger, warn: (message: string) => warned.push(message) };
  const adapter = {
    chain: "XLM",
    keyspace: "XLM",
    addressing: { source: "shared", types: [{ name: null }], treasury: { hot: { address: "G" } } },
    writer: { account: { readiness: () => Promise.resolve(readiness) } },
  };
  const chains = [{ adapter }] as unknown as readonly FollowedChain[];
  const config = { payouts: {} } as Foundation["config"];
  const [pool] = buildPools({ config, logger }, chains);
  expect(await pool?.isOpen?.(signal)).toBe(isOpen);
  await pool?.isOpen?.(signal);
  expect(warned).toHaveLength(readiness === "ready" ? 0 : 1);
});
