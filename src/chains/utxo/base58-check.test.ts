import {
  decodeBase58AddressFormat,
  encodeBase58AddressFormat,
} from "@bitauth/libauth/build/lib/address/base58-address.js";
import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { base58CheckBytes, base58CheckText } from "./base58-check.ts";

/* Base58check against libauth's own, which uses its WebAssembly. */

const content = fc.uint8Array({ minLength: 1, maxLength: 40 });

describe("base58check", () => {
  it("writes and reads what libauth does", () => {
    fc.assert(
      fc.property(content, (bytes) => {
        const [version = 0, ...payload] = bytes;
        const text = base58CheckText(bytes);
        expect(text).toBe(encodeBase58AddressFormat(version, Uint8Array.from(payload)));
        expect(base58CheckBytes(text)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it("reads no text with one letter changed, and no other text that libauth refuses", () => {
    fc.assert(
      fc.property(
        content,
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1, unit: "binary-ascii" }),
        (bytes, at, letter) => {
          const text = base58CheckText(bytes);
          const place = at % text.length;
          const changed = `${text.slice(0, place)}${letter}${text.slice(place + 1)}`;
          expect(base58CheckBytes(changed) === null).toBe(
            typeof decodeBase58AddressFormat(changed) === "string",
          );
        },
      ),
    );
  });

  it("reads no text with a character beyond the alphabet, whatever follows it", () => {
    const text = base58CheckText(Buffer.from("05b472a266d0bd89c13706a4132ccfb16f7c3b9fcb", "hex"));
    expect(text).toBe("3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy");
    for (const other of ["\u0100", "\uff0c", "\u2192", "\u0410", "\u{1f600}", " ", "\u0000"])
      for (const changed of [`${other}${text}`, `${text}${other}${text}`, `${text}${other}`])
        expect(base58CheckBytes(changed)).toBeNull();
  });

  it.each(["", "1", "1111", "0OIl"])("reads %j as nothing", (text) => {
    expect(base58CheckBytes(text)).toBeNull();
  });
});
