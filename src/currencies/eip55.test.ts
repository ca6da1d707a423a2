/** Compares the EIP-55 implementation with the standard's examples and with viem. */
import { getAddress, isAddress } from "viem/utils";
import { describe, expect, it } from "vitest";
import { fc } from "../../test/support/property.ts";
import { isEvmAddress, toChecksumAddress } from "./eip55.ts";

/** The examples of EIP-55: all upper case, all lower case, and four mixed ones. */
const examples = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

describe("EIP-55 addresses", () => {
  it.each(examples)("spells %s with its checksum", (address) => {
    expect(toChecksumAddress(address.toLowerCase())).toBe(address);
    expect(isEvmAddress(address)).toBe(true);
    expect(isEvmAddress(address.toLowerCase())).toBe(true);
  });

  it("agrees with viem on valid and invalid addresses", () => {
    const digits = fc.string({
      unit: fc.constantFrom(..."0123456789abcdefABCDEFgx".split("")),
      maxLength: 42,
    });
    const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(bytes, fc.nat(39), digits, (address, place, garbage) => {
        const lower = `0x${Buffer.from(address).toString("hex")}`;
        const spelled = toChecksumAddress(lower);
        expect(spelled).toBe(getAddress(lower));
        const digit = spelled.charAt(place + 2);
        const turned = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase();
        const wrong = `${spelled.slice(0, place + 2)}${turned}${spelled.slice(place + 3)}`;
        for (const text of [spelled, lower, wrong, lower.toUpperCase(), garbage, `0x${garbage}`])
          expect(isEvmAddress(text), text).toBe(isAddress(text));
      }),
    );
  });
});
