import { describe, expect, it } from "vitest";
import { readSearchText } from "./read-search-text.ts";

// What is pasted into the search field, and which indexes it queries.

const hash = "ab".repeat(32);
/** Some chains write ids in capital letters. */
const spellings = [hash, `0x${hash}`, hash.toUpperCase()];
const page = "0190b2f4-5c1e-4d2a-9d5b-0c2f6d1a7e11";

describe("readSearchText", () => {
  it.each([
    ["17", { prefix: "17", id: "17", page: null, txids: [] }],
    [" #17 ", { prefix: "#17", id: "17", page: null, txids: [] }],
    ["Order 17", { prefix: "order 17", id: null, page: null, txids: [] }],
    ["017", { prefix: "017", id: null, page: null, txids: [] }],
    [hash.toUpperCase(), { prefix: hash, id: null, page: null, txids: spellings }],
    [`0x${hash}`, { prefix: `0x${hash}`, id: null, page: null, txids: spellings }],
    [`https://pay.example/pay/${page}`, { id: null, page, txids: [] }],
    [" 0xAbC1", { prefix: "0xabc1", exact: "0xAbC1", id: null, page: null, txids: [] }],
  ])("reads %s", (text, expected) => {
    expect(readSearchText(text)).toMatchObject(expected);
  });
});
