import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import csl from "@emurgo/cardano-serialization-lib-nodejs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import { cardano } from "../../src/currencies/coins/cardano.ts";
import type { Currency } from "../../src/currencies/currency.ts";
import { cardanoSandbox } from "../../src/main/families/cardano-sandbox.ts";
import type { StartedChain } from "../../src/main/families/sandbox-family.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { ChainPayer } from "../../src/sandbox/chain-payer.ts";
import type { CardanoSite } from "../../src/sandbox/sandbox-file.ts";
import { addressOfKey } from "../support/private-cardano.ts";

/* The Cardano network as the sandbox starts it, and the payer behind `sluice pay` and the simulator. */

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
const family = cardanoSandbox(cardano);
let home: string;
let started: StartedChain;
let site: CardanoSite;
let payer: ChainPayer;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sluice-cardano-sandbox-"));
  const chain = await family.start(home, world);
  if (typeof chain === "string") throw new Error(chain);
  started = chain;
  site = chain.reached as CardanoSite;
  payer = await family.createPayer(site, world);
});
afterAll(async () => {
  await payer.close();
  await started.stop();
  await rm(home, { recursive: true });
});

const ada = (): Currency =>
  present(
    builtInCurrencies.find((one) => one.alpha === "ADA"),
    "ADA",
  );
const newAddress = (): string => addressOfKey(csl.PrivateKey.generate_ed25519());

async function receivedBy(address: string): Promise<readonly number[]> {
  const response = await fetch(`${site.kupo_url}/matches/${address}?unspent`);
  const rows = (await response.json()) as readonly { readonly value: { readonly coins: number } }[];
  return rows.map(({ value }) => value.coins);
}

describe("the sandbox's Cardano network", () => {
  it("is described as simulated, with everything that an outside payer needs", () => {
    const local = (path: string): string =>
      expect.stringMatching(new RegExp(`^http://127\\.0\\.0\\.1:\\d+${path}$`)) as string;
    expect(site).toEqual({
      family: "cardano",
      simulated: true,
      rpc_url: local(""),
      ogmios_url: local(""),
      kupo_url: local("/kupo"),
      sandbox_url: local("/sandbox"),
      faucet_private_key: expect.stringMatching(/^ed25519e_sk1/) as string,
      network_magic: 42,
    });
    const key = csl.PrivateKey.from_bech32(site.faucet_private_key);
    expect(key.as_bytes()).toHaveLength(64);
  });

  it("adds blocks by itself", async () => {
    const { height } = await payer.tip();
    await expect
      .poll(async () => (await payer.tip()).height, { timeout: 60_000 })
      .toBeGreaterThan(height);
  });
});

describe("its payer", () => {
  it("pays many at the same time, in any order", async () => {
    const addresses = Array.from({ length: 12 }, newAddress);
    const other = await family.createPayer(site, world);
    await Promise.all(
      addresses.map((address, at) =>
        (at % 2 === 0 ? payer : other).pay(ada(), address, 2_000_000n + BigInt(at), null),
      ),
    );
    await payer.mine(1);
    await other.close();
    const received = await Promise.all(addresses.map(receivedBy));
    expect(received).toEqual(addresses.map((_address, at) => [2_000_000 + at]));
  });

  it("pays addresses of Byron, of scripts, and with stake", async () => {
    const credential = csl.Credential.from_keyhash(
      csl.PrivateKey.generate_ed25519().to_public().hash(),
    );
    const script = csl.Credential.from_scripthash(csl.ScriptHash.from_hex("ab".repeat(28)));
    const root = csl.Bip32PrivateKey.generate_ed25519_bip32().to_public();
    const addresses = [
      csl.ByronAddress.icarus_from_key(root, 42).to_base58(),
      csl.EnterpriseAddress.new(0, script).to_address().to_bech32(),
      csl.BaseAddress.new(0, credential, script).to_address().to_bech32(),
    ];
    for (const address of addresses) await payer.pay(ada(), address, 3_000_000n, null);
    await payer.mine(1);
    for (const address of addresses) expect(await receivedBy(address)).toEqual([3_000_000]);
  });

  it("reports what the network refuses", async () => {
    await expect(payer.pay(ada(), newAddress(), 100n, null)).rejects.toThrow(
      "less than the minimum",
    );
    const mainnet = csl.Address.from_bech32(newAddress()).to_bytes();
    mainnet[0] = 0x61;
    const address = csl.Address.from_bytes(mainnet).to_bech32("addr");
    await expect(payer.pay(ada(), address, 2_000_000n, null)).rejects.toThrow("another network");
  });

  it("replaces blocks, whose payments wait or are in the new ones", async () => {
    const [first, second] = [newAddress(), newAddress()];
    await payer.pay(ada(), first, 4_000_000n, null);
    await payer.mine(2);
    await payer.reorg(2, "include");
    expect(await receivedBy(first)).toEqual([4_000_000]);
    await payer.pay(ada(), second, 5_000_000n, null);
    await payer.mine(1);
    await payer.reorg(1, "wait");
    await payer.mine(1);
    expect(await receivedBy(second)).toEqual([5_000_000]);
    expect(payer.reorgDepthMax).toBe(2_160);
  });
});
