import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { createFingerprintTable } from "./fingerprint-table.ts";

/* What was added is always found; what was not is found next to never; memory stays near 13 bytes an entry. */

describe("a fingerprint table", () => {
  it("contains everything that was added, even beyond the expected size", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ size: "medium" }), { maxLength: 300 }), (texts) => {
        const table = createFingerprintTable(1);
        for (const text of texts) table.add(text);
        expect(texts.every((text) => table.mayContain(text))).toBe(true);
      }),
    );
  });

  it("contains nothing else among many similar strings", () => {
    const count = 200_000;
    const table = createFingerprintTable(count);
    for (let index = 0; index < count; index += 1)
      table.add(`0014${index.toString(16).padStart(40, "0")}`);
    let found = 0;
    let foreign = 0;
    for (let index = 0; index < count; index += 1) {
      if (table.mayContain(`0014${index.toString(16).padStart(40, "0")}`)) found += 1;
      if (table.mayContain(`0014${(index + count).toString(16).padStart(40, "0")}`)) foreign += 1;
    }
    expect(found).toBe(count);
    expect(foreign).toBe(0);
    expect(table.byteLength() / count).toBeLessThan(13);
  });

  it("tells whether any of several texts is contained as it tells it of each", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (added, asked) => {
        const table = createFingerprintTable(added.length);
        for (const text of added) table.add(text);
        expect(table.mayContainAny([...asked])).toBe(asked.some((text) => table.mayContain(text)));
        expect(table.mayContainAny([...asked, ...added])).toBe(
          asked.concat(added).some((text) => table.mayContain(text)),
        );
      }),
    );
  });

  it("stores a repeated entry once", () => {
    const table = createFingerprintTable(10);
    const before = table.byteLength();
    for (let times = 0; times < 1000; times += 1) table.add("the same");
    expect(table.byteLength()).toBe(before);
    expect(table.mayContain("the same")).toBe(true);
    expect(table.mayContain("another")).toBe(false);
  });
});
