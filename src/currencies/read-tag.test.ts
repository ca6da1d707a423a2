import { describe, expect, it } from "vitest";
import { readTag } from "./read-tag.ts";
import { commentBytesMax } from "./ton-comment.ts";

const read = (tag: string | null, type: string | null = null) =>
  readTag("comment", { tag, type }, "TON");

describe("a comment", () => {
  it.each([null, "7", "007", "Rechnung für März", "ü".repeat(commentBytesMax / 2)])(
    "%j is taken as it is",
    (tag) => {
      expect(read(tag)).toEqual({ tag, faults: [] });
    },
  );

  it("has no type", () => {
    expect(read("7", "1")).toEqual({
      tag: null,
      faults: [{ member: "tag_type", detail: "TON take no tag_type." }],
    });
  });

  it.each([
    ["ü".repeat(commentBytesMax / 2 + 1), "A comment may have at most 120 bytes in UTF-8."],
    ["two\nlines", "A comment must be text without control characters."],
    ["\ud800", "A comment must be text without control characters."],
  ])("%j is refused", (tag, detail) => {
    expect(read(tag)).toEqual({ tag: null, faults: [{ member: "tag", detail }] });
  });
});
