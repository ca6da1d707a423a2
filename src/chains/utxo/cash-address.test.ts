import {
  CashAddressType,
  encodeCashAddress as encodeByLibauth,
} from "@bitauth/libauth/build/lib/address/cash-address.js";
import { describe, expect, it } from "vitest";
import { signedUtxoNetwork, utxoChain } from "../../../test/support/known-chains.ts";
import vectors from "../../../test/vectors/cash-addresses.json" with { type: "json" };
import tokenVectors from "../../../test/vectors/cash-token-addresses.json" with { type: "json" };
import { DraftRefused } from "../../signer/draft-signer.ts";
import { scriptOfAddress } from "../../signer/utxo/own-script.ts";
import { decodeCashAddress } from "./cash-address.ts";
import { payeeOfAddress, scriptOfPayee } from "./output-script.ts";
import { createUtxoPayeeAddressing } from "./payee-addressing.ts";

/* The adapter's and the signer's readings are two programs; libauth's encoding is a third. */

const chain = utxoChain("BCH");
const main = createUtxoPayeeAddressing(chain, "main");
const signed = signedUtxoNetwork("BCH", "main");
const keyAddress = "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a";

function scriptBySigner(address: string): string {
  return Buffer.from(scriptOfAddress(signed, address)).toString("hex");
}

describe("an address of Bitcoin Cash", () => {
  it.each(vectors.translations)("is one destination as %s and as %s", (legacy = "", cash = "") => {
    const spellings = [cash, cash.split(":")[1] ?? "", cash.toUpperCase(), legacy];
    for (const spelling of spellings) {
      const meant = main.parse(spelling, null);
      expect(meant?.address).toBe(cash);
      expect(main.watchKey({ address: spelling, addressType: null, tag: null })).toBe(
        scriptBySigner(cash),
      );
      expect(meant === null ? null : main.spell?.(meant)).toEqual({ cash, legacy });
    }
    expect(scriptBySigner(legacy)).toBe(scriptBySigner(cash));
  });

  it("may be token-aware, which changes nothing about what it pays", () => {
    const payload = new Uint8Array(20).fill(7);
    const encode = (type: CashAddressType): string =>
      encodeByLibauth({ payload, prefix: "bitcoincash", type }).address;
    const pairs = [
      [encode(CashAddressType.p2pkhWithTokens), encode(CashAddressType.p2pkh)],
      [encode(CashAddressType.p2shWithTokens), encode(CashAddressType.p2sh)],
    ] as const;
    for (const [aware, ordinary] of pairs) {
      expect(aware).toMatch(/^bitcoincash:[zr]/);
      expect(main.parse(aware, null)?.address).toBe(ordinary);
      expect(scriptBySigner(aware)).toBe(scriptBySigner(ordinary));
    }
  });

  it.each(
    tokenVectors.addresses.map(({ cashaddr, payload, payloadSize, type }) => ({
      address: cashaddr,
      hash: payload.toLowerCase(),
      payloadSize,
      type,
    })),
  )(
    "is read or refused as Bitcoin Cash Node does: $address",
    ({ address, hash, payloadSize, type }) => {
      const network = Object.values(chain.networks).find(({ cashAddressPrefix }) =>
        address.startsWith(`${cashAddressPrefix ?? ""}:`),
      );
      // Types above 3 have no meaning, other lengths no output script.
      const kinds = { 0: "p2pkh", 1: "p2sh", 2: "p2pkh", 3: "p2sh" } as Readonly<
        Record<number, string>
      >;
      const kind =
        payloadSize === 20
          ? kinds[type]
          : payloadSize === 32 && type % 2 === 1 && type < 4
            ? "p2sh32"
            : undefined;
      const payee = payeeOfAddress(network ?? chain.networks.main, address);
      const isOurs = network !== undefined && kind !== undefined;
      expect(payee === null ? null : [payee.kind, Buffer.from(payee.hash).toString("hex")]).toEqual(
        isOurs ? [kind, hash] : null,
      );
    },
  );

  it("of a script may have a hash of 32 bytes, and then has no other spelling", () => {
    const payload = new Uint8Array(32).fill(9);
    const { address } = encodeByLibauth({
      payload,
      prefix: "bitcoincash",
      type: CashAddressType.p2sh,
    });
    const payee = payeeOfAddress(chain.networks.main, address);
    expect(payee?.kind).toBe("p2sh32");
    const script = `aa20${"09".repeat(32)}87`;
    expect(payee === null ? null : scriptOfPayee(payee)).toBe(script);
    expect(scriptBySigner(address)).toBe(script);
    const meant = main.parse(address, null);
    expect(meant?.address).toBe(address);
    expect(meant === null ? null : main.spell?.(meant)).toEqual({ cash: address, legacy: address });
  });

  it.each([
    ["a wrong letter", keyAddress.replace("qpm2", "qpm3")],
    ["two letters exchanged", keyAddress.replace("gdx6a", "dgx6a")],
    ["mixed case", keyAddress.replace("qpm", "QPM")],
    ["another network's prefix", keyAddress.replace("bitcoincash", "bchtest")],
    ["a checksum of another prefix", "qpm2qsznhks23z7629mms6s4cwef74vcwvqcw003ap"],
    ["no payload", "bitcoincash:"],
    ["segwit", "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"],
    [
      "a key's hash of 32 bytes",
      encodeByLibauth({
        payload: new Uint8Array(32),
        prefix: "bitcoincash",
        type: CashAddressType.p2pkh,
      }).address,
    ],
  ])("is refused with %s", (_, address) => {
    expect(main.parse(address, null)).toBeNull();
    expect(() => scriptBySigner(address)).toThrow(DraftRefused);
  });

  it("belongs to its network, in both spellings", () => {
    const regtest = createUtxoPayeeAddressing(chain, "regtest");
    const { hash, kind } = decodeCashAddress("bitcoincash", keyAddress) ?? {};
    expect(kind).toBe("p2pkh");
    const { address } = encodeByLibauth({
      payload: hash ?? new Uint8Array(),
      prefix: "bchreg",
      type: CashAddressType.p2pkh,
    });
    expect(regtest.parse(address, null)?.address).toBe(address);
    expect(regtest.parse(keyAddress, null)).toBeNull();
    expect(main.parse(address, null)).toBeNull();
  });

  it("matches its masks", () => {
    const masks = main.types.flatMap((type) => type.masks);
    for (const text of [keyAddress, keyAddress.toUpperCase(), keyAddress.slice(12)])
      expect(masks.some((mask) => new RegExp(mask).test(text))).toBe(true);
    expect(masks.some((mask) => new RegExp(mask).test("bitcoincash:1"))).toBe(false);
  });
});
