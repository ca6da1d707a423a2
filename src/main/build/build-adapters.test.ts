/** Adapters follow the configuration; the reorg limit is the chain's default or the configured one. */
import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { createRegistry } from "../../currencies/registry.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { deriveKeys } from "../../signer/keys/derive-keys.ts";
import { configSchema } from "../config/config.ts";
import { claimNothing } from "../families/connection.ts";
import { keyTrees } from "../families/families.ts";
import { buildAdapters } from "./build-adapters.ts";

const chain = { network: "regtest", nodes: ["http://127.0.0.1:9"] };
const configured = (chains: Readonly<Record<string, unknown>>) =>
  configSchema.safeParse({
    base_url: "http://pay.example",
    database: { url: "postgres://127.0.0.1/sluice" },
    keys: { data_key_files: ["data.key"] },
    signer: { folder: "signer", passphrase_file: "passphrase" },
    chains,
  });

describe("chain adapters", () => {
  it("prefers the configured reorg limit to the chain's default", async () => {
    const { data: config } = configured({
      BTC: chain,
      LTC: { ...chain, reorg_limit: 250 },
      ETH: { ...chain, chain_id: 1337, reorg_limit: 3 },
    });
    const keys = deriveKeys(new Uint8Array(32), "test", keyTrees()).accounts;
    const followed = await buildAdapters(
      {
        config: config!,
        currencies: createRegistry(builtInCurrencies),
        clock: manualClock(),
        random: systemRandom,
        logger: silentLogger,
      },
      keys,
      claimNothing,
    );
    const limits = followed.map(({ adapter }) => [adapter.chain, adapter.reader.finality]);
    expect(Object.fromEntries(limits)).toEqual({
      BTC: { kind: "probable", reorgLimit: 100 },
      LTC: { kind: "probable", reorgLimit: 250 },
      ETH: { kind: "probable", reorgLimit: 3 },
    });
    await Promise.all(followed.map(({ close }) => close()));
  });

  it("requires a reorg limit to be a positive whole number", () => {
    for (const reorg_limit of [0, -1, 1.5, "10"]) {
      const { error } = configured({ BTC: { ...chain, reorg_limit } });
      expect(error?.issues.map(({ path }) => path.join("."))).toEqual(["chains.BTC.reorg_limit"]);
    }
  });
});
