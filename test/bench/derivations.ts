import { secp256k1 } from "@bitauth/libauth/build/lib/crypto/default-crypto-instances.js";
import { HDKey } from "@scure/bip32";
import { createEvmAddressing } from "../../src/chains/evm/addressing.ts";
import { deriveBatch } from "../../src/chains/pools/derive-batch.ts";
import type { DerivedAddressing } from "../../src/chains/port.ts";
import { accountPath } from "../../src/chains/utxo/account-key.ts";
import { createAddressing } from "../../src/chains/utxo/addressing.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { bitcoin } from "../support/known-chains.ts";
import { median, sideBySide } from "./measure.ts";
import { processorFindings, type Spent } from "./processor-time.ts";
import { type Finding, rateFinding } from "./report.ts";

const rounds = 5;
const addresses = 1_000;
const additions = 10_000;

/**
 * Addresses derived for the pools, each by two libraries and compared, against one point addition of
 * libsecp256k1 (WebAssembly), the minimum of any derivation.
 */
export async function benchDerivations(): Promise<readonly Finding[]> {
  const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(42));
  const bitcoinKey = root.derive(accountPath(bitcoin, "regtest", "bech32")).publicExtendedKey;
  const evmKey = root.derive("m/44'/60'/0'").publicExtendedKey;
  const kinds = [
    {
      name: "BTC bech32 addresses, two derivations each",
      addressing: createAddressing(bitcoin, "regtest", { bech32: bitcoinKey }),
      type: "bech32",
    },
    {
      name: "EVM addresses, two derivations each",
      addressing: createEvmAddressing(evmKey, []),
      type: "",
    },
  ];
  const findings: Finding[] = [];
  for (const { name, addressing, type } of kinds) {
    let first = 0;
    await derive(addressing, type, 0, 200);
    const spent: Spent = { product: [], floor: [] };
    const rates = await sideBySide(
      rounds,
      () => spend(spent.floor, additions, () => Promise.resolve(addPoints(root))),
      () =>
        spend(spent.product, addresses, () =>
          derive(addressing, type, (first += addresses), addresses),
        ),
    );
    const medians = { product: median(spent.product), floor: median(spent.floor) };
    const floorName = "point additions by libsecp256k1";
    findings.push(
      rateFinding(name, "/s", rates, floorName, 0.1),
      ...processorFindings(`${name}: processor time of each`, medians, floorName),
    );
  }
  return findings;
}

/** Notes the microseconds of processor time of each of `count` in this process. */
async function spend(noted: number[], count: number, work: () => Promise<number>): Promise<number> {
  const before = process.cpuUsage();
  const rate = await work();
  const { user, system } = process.cpuUsage(before);
  noted.push((user + system) / count);
  return rate;
}

async function derive(
  addressing: DerivedAddressing,
  type: string,
  first: number,
  count: number,
): Promise<number> {
  const start = performance.now();
  await deriveBatch(addressing, type, { first, count }, systemClock);
  return count / ((performance.now() - start) / 1000);
}

function addPoints(root: HDKey): number {
  const point = root.publicKey;
  if (point === null) throw new Error("a root without a public key");
  const scalar = new Uint8Array(32).fill(7);
  const start = performance.now();
  for (let index = 0; index < additions; index += 1) {
    scalar[0] = index & 0x7f;
    scalar[1] = index >> 7;
    secp256k1.addTweakPublicKeyCompressed(point, scalar);
  }
  return additions / ((performance.now() - start) / 1000);
}
