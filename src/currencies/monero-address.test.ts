import { describe, expect, it } from "vitest";
import vectors from "../../test/vectors/monero-addresses.json" with { type: "json" };
import { moneroAddressText, readMoneroAddress } from "./monero-address.ts";
import type { MoneroAddressPrefixes } from "./monero-facts.ts";

/* src/cryptonote_config.h of monero-project/monero. */
const prefixes: Readonly<Record<string, MoneroAddressPrefixes>> = {
  mainnet: { standard: 18, integrated: 19, subaddress: 42 },
  testnet: { standard: 53, integrated: 54, subaddress: 63 },
  stagenet: { standard: 24, integrated: 25, subaddress: 36 },
};

describe("an address of Monero", () => {
  it.each(vectors.valid)(
    "of $network, $kind, is read and written",
    ({ address, kind, network }) => {
      for (const [name, numbers] of Object.entries(prefixes)) {
        const read = readMoneroAddress(address, numbers);
        expect(read?.kind ?? null).toBe(name === network ? kind : null);
        if (read !== null) expect(moneroAddressText(read, numbers)).toBe(address);
      }
    },
  );

  it("contains its payment id", () => {
    for (const { address, paymentId } of vectors.wallet.integrated) {
      const read = readMoneroAddress(address, prefixes["mainnet"]!);
      expect(Buffer.from(read?.paymentId ?? "").toString("hex")).toBe(paymentId);
    }
  });

  it("has one spelling, and no wrong character", () => {
    const { address } = vectors.valid[0]!;
    const others = [
      ...vectors.invalid,
      address.toLowerCase(),
      ` ${address}`,
      `${address} `,
      `monero:${address}`,
      address.slice(1),
      `${address}1`,
      // A block of characters that stands for more than its bytes hold.
      `${"z".repeat(11)}${address.slice(11)}`,
    ];
    for (const text of others) expect(readMoneroAddress(text, prefixes["mainnet"]!)).toBeNull();
    for (let place = 0; place < address.length; place += 1) {
      const other = address.charAt(place) === "2" ? "3" : "2";
      const text = address.slice(0, place) + other + address.slice(place + 1);
      expect(readMoneroAddress(text, prefixes["mainnet"]!)).toBeNull();
    }
  });
});
