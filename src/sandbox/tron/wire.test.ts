import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { decode, encode, MalformedMessage, type Schema } from "./wire.ts";

const schema = {
  count: [1, "int"],
  isOpen: [2, "bool"],
  note: [3, "string"],
  owner: [4, "address"],
  kind: [5, { NONE: 0, ONE: 1, FAR: 200 }],
  inner: [16, { parts: [1, "bytes", "repeated"] }],
} as const satisfies Schema;

const hex = fc
  .uint8Array({ minLength: 1, maxLength: 40 })
  .map((bytes) => Buffer.from(bytes).toString("hex"));

describe("a protobuf message", () => {
  it("decodes to what was encoded", () => {
    const message = fc.record({
      count: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).filter((value) => value !== 0n),
      isOpen: fc.constant(true),
      note: fc.string({ minLength: 1, unit: "binary" }),
      owner: hex,
      kind: fc.constantFrom("ONE", "FAR"),
      inner: fc.record({ parts: fc.array(hex, { minLength: 1 }) }),
    });
    fc.assert(
      fc.property(message, (members) => {
        expect(decode(schema, encode(schema, members))).toEqual(members);
      }),
    );
  });

  it("omits defaults, and includes an empty nested message", () => {
    const empty = {
      count: 0n,
      isOpen: false,
      note: "",
      owner: "",
      kind: "NONE",
      inner: {},
    } as const;
    expect(encode(schema, empty)).toBe("820100");
  });

  it("writes negative numbers as ten bytes", () => {
    expect(encode(schema, { count: -1n })).toBe("08ffffffffffffffffff01");
  });

  it("skips fields that its schema does not name", () => {
    // Field 7 as a number, 8 as 64 bits, 9 as bytes, 10 as 32 bits.
    expect(decode(schema, `380541${"00".repeat(8)}4a016355${"00".repeat(4)}0803`)).toEqual({
      count: 3n,
    });
  });

  it("is rejected if it is truncated, of another type, or not hexadecimal", () => {
    const broken = ["08", "1205", "0a0101", "0b", "2863", "08ffffffffffffffffffff01", "zz", "0"];
    for (const text of broken) expect(() => decode(schema, text)).toThrow(MalformedMessage);
  });
});
