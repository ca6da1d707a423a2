import { expect, it } from "vitest";
import { tagMembers } from "./tag-kinds.ts";

it.each([
  ["destination-tag", " 0 ", { tag: "0" }],
  ["comment", "order 7", { tag: "order 7" }],
  ["memo", "123", { tag: "123", tag_type: "1" }],
  ["memo", " ", {}],
  // Typed for another chain, before the currency was changed to one without tags.
  [null, "123", {}],
] as const)("of the kind %o and the text %o the members are %o", (kind, typed, members) => {
  expect(tagMembers(kind, typed)).toEqual(members);
});
