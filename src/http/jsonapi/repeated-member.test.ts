import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { repeatedMember } from "./repeated-member.ts";

describe("repeatedMember", () => {
  it.each([
    ['{"a":1,"a":2}', "a"],
    ['{"a":1, "\\u0061" : 2}', "a"],
    ['{"":1,"":2}', ""],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
    ['[{"b":{"a":[],"c":"a","a":null}}]', "a"],
    ['{"x\\"y":1,"x\\"y"\n:2}', 'x"y'],
  ])("finds the name in %s", (text, name) => {
    expect(repeatedMember(text)).toBe(name);
  });

  it.each([
    '{"a":{"a":1},"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"a"}',
    '{"a":["a","a"]}',
    '{"a\\\\":1,"a":"\\\\"}',
    '"a"',
    "3",
  ])("finds none in %s", (text) => {
    expect(repeatedMember(text)).toBeNull();
  });

  it("finds none in the output of JSON.stringify", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(repeatedMember(JSON.stringify(value))).toBeNull();
      }),
    );
  });
});
