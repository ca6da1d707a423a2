import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { keepText, serializeDocument } from "./serialize.ts";

/* Documents are written as JSON.stringify writes them, however often their resources are sent. */

describe("serializeDocument", () => {
  it("writes any document as JSON.stringify does", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (rest, data) => {
        const document = { ...rest, data };
        expect(serializeDocument(document)).toBe(JSON.stringify(document));
      }),
    );
    expect(serializeDocument({ data: undefined, meta: { left: undefined } })).toBe('{"meta":{}}');
  });

  it("writes kept resources in every document that contains them", () => {
    const one = keepText({ type: "deposit", id: "1", attributes: { label: 'Ä "1"' } });
    const other = { type: "deposit", id: "2" };
    for (const data of [one, [one, other], [], [other, one, one], one])
      expect(serializeDocument({ links: { next: null }, data })).toBe(
        JSON.stringify({ links: { next: null }, data }),
      );
  });
});
