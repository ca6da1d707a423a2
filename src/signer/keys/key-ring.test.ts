import { bech32 } from "@scure/base";
import { HDKey } from "@scure/bip32";
import { describe, expect, it } from "vitest";
import { knownKeyTrees } from "../../../test/support/known-chains.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { deriveMoneroKeys } from "../monero/account-keys.ts";
import { accountPaths } from "./account-paths.ts";
import { deriveKeys } from "./derive-keys.ts";
import { sealKeys } from "./key-ring.ts";

const entropy = () => new Uint8Array(32).fill(9);

describe("the key ring", () => {
  it("lends the children of the exported accounts: deposit, change, hot and gas keys", () => {
    for (const network of ["main", "test"] as const) {
      const { accounts } = deriveKeys(entropy(), network, knownKeyTrees);
      const keys = sealKeys(entropy(), systemRandom);
      const versions = new Map(
        accountPaths(network, knownKeyTrees).map(({ path, key }) => [path, key]),
      );
      for (const { path, ...key } of accounts) {
        if ("viewKey" in key) {
          const { spend } = keys.lend((ring) => deriveMoneroKeys(ring.at, path));
          expect(spend.toHex()).toBe(key.spendKey);
          continue;
        }
        if (!("xpub" in key)) {
          const lent = keys.lend((ring) => ring.ed25519At(path).publicKey);
          expect(Buffer.from(lent).toString("hex")).toBe(key.publicKey);
          continue;
        }
        const version = versions.get(path);
        if (version?.kind === "bip32-ed25519") {
          const { publicKey, chainCode } = keys.lend((ring) => ring.extendedEd25519At(path));
          const words = bech32.toWords(Uint8Array.from([...publicKey, ...chainCode]));
          expect(key.xpub).toBe(bech32.encode("acct_xvk", words, false));
          continue;
        }
        const account = HDKey.fromExtendedKey(
          key.xpub,
          version?.kind === "bip32" ? version : undefined,
        );
        for (const child of ["0/0", "0/17", "1/3"]) {
          const expected = account.derive(`m/${child}`).publicKey;
          expect(keys.lend((ring) => ring.at(`${path}/${child}`).publicKey)).toEqual(expected);
        }
      }
    }
  });

  it("leaves no usable key after a loan, even a failed one, and lends a wiped key again", () => {
    const keys = sealKeys(entropy(), systemRandom);
    const path = "m/44'/60'/1'/0/0";
    const lent: HDKey[] = [];
    const borrow = () =>
      keys.lend((ring) => {
        lent.push(ring.at(path), ring.at(path), ring.at("m/44'/60'/1'/0"));
        lent[0]!.wipePrivateData();
        lent.push(ring.at(path));
        expect(lent[1]!.privateKey).toHaveLength(32);
        expect(lent[3]!.privateKey).toEqual(lent[1]!.privateKey);
        throw new Error("the draft is refused");
      });
    expect(borrow).toThrow("refused");
    const held = lent.map(({ privateKey }) => privateKey);
    expect(held).toEqual([null, null, null, null]);
  });

  it("lends keys until a promise settles, and leaves none usable after it", async () => {
    const keys = sealKeys(entropy(), systemRandom);
    const lent: HDKey[] = [];
    const borrow = (fails: boolean) =>
      keys.lend(async (ring) => {
        const key = ring.at("m/44'/60'/1'/0/0");
        lent.push(key);
        await Promise.resolve();
        expect(key.privateKey).toHaveLength(32);
        if (fails) throw new Error("the program does not answer");
        return key.publicKey;
      });
    expect(await borrow(false)).toHaveLength(33);
    await expect(borrow(true)).rejects.toThrow("does not answer");
    expect(lent.map(({ privateKey }) => privateKey)).toEqual([null, null]);
  });

  it("lends nothing after it was closed, and rejects malformed paths", () => {
    const keys = sealKeys(entropy(), systemRandom);
    for (const path of ["m", "", "m/", "m/x", "44'/60'", "m/2147483648", "m/0/-1", "m/0'/"]) {
      expect(() => keys.lend((ring) => ring.at(path))).toThrow(RangeError);
    }
    keys.forget();
    expect(() => keys.lend((ring) => ring.at("m/0"))).toThrow("forgotten");
  });

  it("leaves the entropy to the caller, and keeps the sealing key out of the heap", () => {
    const own = entropy();
    const drawn: Uint8Array[] = [];
    const bytes = (length: number) => {
      const fresh = systemRandom.bytes(length);
      drawn.push(fresh);
      return fresh;
    };
    sealKeys(own, { ...systemRandom, bytes });
    expect(own).toEqual(entropy());
    expect(drawn[0]?.every((byte) => byte === 0)).toBe(true);
  });
});
