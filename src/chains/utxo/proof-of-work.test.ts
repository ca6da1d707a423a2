/** Genesis headers of the main networks, the same with one bit changed, and every form of the compact target. */
import { describe, expect, it } from "vitest";
import { bitcoin, litecoin } from "../../../test/support/known-chains.ts";
import { present } from "../../platform/kernel/assert.ts";
import { doubleHash, idText } from "./parse-transaction.ts";
import { hasWork, isTargetPermitted } from "./proof-of-work.ts";
import type { UtxoChain } from "./utxo-chain.ts";

const bitcoinGenesis =
  "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c";
const litecoinGenesis =
  "010000000000000000000000000000000000000000000000000000000000000000000000d9ced4ed1130f7b7faad9be25323ffafa33232a17c3edf6cfd97bee6bafbdd97b9aa8e4ef0ff0f1ecd513f7c";

const hashOf = (header: Buffer): string =>
  idText(Buffer.from(doubleHash(header.subarray(0, 80)), "binary"));

const isMined = (
  { workHash, networks }: UtxoChain,
  hex: string,
  network: keyof UtxoChain["networks"] = "main",
  bits?: number,
): boolean => {
  const header = Buffer.from(hex, "hex");
  if (bits !== undefined) header.writeUInt32LE(bits, 72);
  return hasWork(header, hashOf(header), present(workHash, "a work hash"), networks[network]);
};

describe("hasWork", () => {
  it("accepts the first block of each main network, by that chain's own hash", () => {
    expect(hashOf(Buffer.from(litecoinGenesis, "hex"))).toBe(litecoin.networks.main.genesisHash);
    expect(isMined(bitcoin, bitcoinGenesis)).toBe(true);
    expect(isMined(litecoin, litecoinGenesis)).toBe(true);
    expect(isMined({ ...litecoin, workHash: "sha256d" }, litecoinGenesis)).toBe(false);
    expect(isMined({ ...bitcoin, workHash: "scrypt" }, bitcoinGenesis)).toBe(false);
  });

  it("rejects a header whose nonce was changed", () => {
    for (const [chain, hex] of [
      [bitcoin, bitcoinGenesis],
      [litecoin, litecoinGenesis],
    ] as const) {
      expect(isMined(chain, `${hex.slice(0, -2)}7d`)).toBe(false);
    }
  });

  it("rejects a target that is easier than the network's easiest", () => {
    expect(isMined(bitcoin, bitcoinGenesis, "main", 0x207fffff)).toBe(false);
    expect(isMined(litecoin, litecoinGenesis, "test", 0x207fffff)).toBe(false);
    // One header in two has a hash below it.
    const mined = Array.from({ length: 64 }, (_, nonce) => {
      const tail = nonce.toString(16).padStart(2, "0");
      return isMined(bitcoin, `${bitcoinGenesis.slice(0, -2)}${tail}`, "regtest", 0x207fffff);
    });
    expect(new Set(mined).size).toBe(2);
  });

  it.each([
    ["negative", 0x1d80ffff],
    ["zero", 0x1d000000],
    ["of more than 256 bits", 0xff00ffff],
    ["shifted down to zero", 0x01000012],
  ])("rejects a target that is %s", (_name, bits) => {
    expect(isMined(bitcoin, bitcoinGenesis, "regtest", bits)).toBe(false);
  });
});

describe("isTargetPermitted", () => {
  const header = (bits: number): Buffer => {
    const bytes = Buffer.alloc(80);
    bytes.writeUInt32LE(bits, 72);
    return bytes;
  };
  const permits = (
    height: number,
    parentBits: number,
    bits: number,
    network = bitcoin.networks.main,
  ): boolean => isTargetPermitted(header(bits), header(parentBits), height, network);

  it("accepts only the parent's target within a retarget period", () => {
    expect(permits(32_255, 0x1d00ffff, 0x1d00ffff)).toBe(true);
    expect(permits(32_255, 0x1d00ffff, 0x1d00d86a)).toBe(false);
    expect(permits(900_001, 0x1702905c, 0x1d00ffff)).toBe(false);
  });

  it("accepts Bitcoin's first retarget, at height 32,256", () => {
    expect(permits(32_256, 0x1d00ffff, 0x1d00d86a)).toBe(true);
  });

  it.each([
    ["four times easier", 0x1c100000, 0x1c400000, true],
    ["more than four times easier", 0x1c100000, 0x1c400001, false],
    ["four times harder", 0x1c400000, 0x1c100000, true],
    ["more than four times harder", 0x1c400000, 0x1c0fffff, false],
    ["four times easier, beyond the network's limit", 0x1d00ffff, 0x1d03fffc, false],
    ["four times easier, rounded by the compact form", 0x1b404cb1, 0x1c010132, true],
  ])("decides on a retarget to a target that is %s", (_name, parentBits, bits, isPermitted) => {
    expect(permits(2016 * 30, parentBits, bits)).toBe(isPermitted);
  });

  it("accepts any target on test networks, whose rules allow blocks of the least difficulty", () => {
    expect(permits(7, 0x1c100000, 0x1d00ffff, bitcoin.networks.test)).toBe(true);
    expect(permits(7, 0x1c100000, 0x207fffff, bitcoin.networks.regtest)).toBe(true);
  });
});
