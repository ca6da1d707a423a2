/** Three registries select a family: each chain that the program can follow has a record in all of them, and they agree. */
import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { isBuilt } from "../../currencies/chain-record.ts";
import { coins } from "../../currencies/coins.ts";
import { createRegistry } from "../../currencies/registry.ts";
import { InvariantViolation } from "../../platform/kernel/assert.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { deriveKeys } from "../../signer/keys/derive-keys.ts";
import { type ChainConfig, configSchema } from "../config/config.ts";
import { claimNothing } from "./connection.ts";
import { connectChain } from "./connections.ts";
import { familyOf, keyTrees } from "./families.ts";
import { sandboxFamilyOf } from "./sandbox-families.ts";

const followed = coins.filter(({ chain }) => isBuilt(chain)).map(({ chain }) => chain.id);
const keys = deriveKeys(new Uint8Array(32), "test", keyTrees()).accounts;
const currencies = createRegistry(builtInCurrencies);

function testnet(chain: string): ChainConfig {
  const url = "http://127.0.0.1:9";
  const usesWallet = familyOf(chain).rareMembers?.includes("wallet") === true;
  const { chains } = configSchema.parse({
    base_url: "http://pay.example",
    database: { url: "postgres://127.0.0.1/sluice" },
    keys: { data_key_files: ["data.key"] },
    signer: { folder: "signer", passphrase_file: "passphrase" },
    chains: {
      [chain]: { network: "testnet", nodes: [url], ...(usesWallet ? { wallet: url } : {}) },
    },
  });
  return chains[chain]!;
}

describe.each(followed)("the records of %s", async (chain) => {
  const config = testnet(chain);
  const { createAdapter, createQuoter, close } = await connectChain(chain, {
    config,
    currencies,
    clock: manualClock(),
    random: systemRandom,
    logger: silentLogger,
  });
  const adapter = createAdapter(keys, claimNothing);

  it("agree on key space, address types and funding", async () => {
    const { funding, keyspace, createPayeeAddressing } = familyOf(chain);
    expect(adapter).toMatchObject({ chain, keyspace: keyspace.name });
    expect(adapter.writer?.funding).toBe(funding);
    expect(createQuoter().funding).toBe(funding);
    const named = adapter.addressing.types.flatMap(({ name }) => name ?? []);
    expect(named).toEqual(keyspace.pooledAs === undefined ? keyspace.addressTypes : []);
    const usual = adapter.addressing.types.find(({ isDefault }) => isDefault);
    expect(usual?.name ?? "").toBe(keyspace.pooledAs ?? keyspace.defaultAddressType);
    expect(createPayeeAddressing(config, currencies).types).toEqual(adapter.addressing.types);
    await close();
  });

  it("accept the configuration of a test network, and name the coin among the signer's assets", () => {
    const { configFaults, signedChain } = familyOf(chain);
    expect(configFaults(config, currencies.onChain(chain))).toEqual([]);
    const assets = { "1": { kind: "coin" } } as const;
    expect(signedChain(config, assets)).toMatchObject({ chain, assets });
  });

  it("survive the way to the signer's process as JSON", () => {
    const settings = familyOf(chain).signedChain(config, {});
    expect(JSON.parse(JSON.stringify(settings))).toEqual(settings);
    expect(keyTrees()).toContainEqual(JSON.parse(JSON.stringify(familyOf(chain).keyTree)));
  });

  it("know how the sandbox runs it", () => {
    expect(sandboxFamilyOf(chain).isDefault).toBeTypeOf("boolean");
  });
});

describe("the registry of families", () => {
  it("has no record of a chain without an adapter, or of no chain", () => {
    const absent = coins.filter(({ chain }) => !isBuilt(chain)).map(({ chain }) => chain.id);
    for (const chain of [...absent, "OMNI", "NOPE"]) {
      expect(() => familyOf(chain)).toThrow(InvariantViolation);
      expect(() => sandboxFamilyOf(chain)).toThrow(InvariantViolation);
    }
  });
});
