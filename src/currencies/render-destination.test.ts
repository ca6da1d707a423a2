import { describe, expect, it } from "vitest";
import { renderDestination } from "./render-destination.ts";

const named = (chain: string, tag: string | null, addressType = "") =>
  renderDestination({ chain }, { address: "somewhere", addressType, tag });
const plain = { address_type: null, address: "somewhere" };

describe("renderDestination", () => {
  it("has no tag on chains without tags", () => {
    expect(named("BTC", null, "bech32")).toEqual({ ...plain, address_type: "bech32" });
    expect(named("ETH", null)).toEqual(plain);
  });

  it("has the tag of chains with destination tags, also 0", () => {
    expect(named("XRP", "0", "x-address")).toEqual({
      ...plain,
      address_type: "x-address",
      tag: "0",
    });
    expect(named("XRP", null)).toEqual({ ...plain, tag: null });
  });

  it("has the type of a memo, and none of a comment", () => {
    expect(named("XLM", "7")).toEqual({ ...plain, tag_type: "1", tag: "7" });
    expect(named("XLM", null)).toEqual({ ...plain, tag_type: "0", tag: null });
    expect(named("TON", "thanks")).toEqual({ ...plain, tag_type: null, tag: "thanks" });
  });
});
