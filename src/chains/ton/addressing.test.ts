import { Address } from "@ton/core";
import { describe, expect, it } from "vitest";
import { readTonAddress } from "../../currencies/ton-address.ts";
import { commentBytesMax } from "../../currencies/ton-comment.ts";
import { pooled } from "../pools/derive-batch.ts";
import { createTonAddressing } from "./addressing.ts";
import { highloadCode, highloadCodeHash } from "./highload-wallet.ts";
import { createTonPayeeAddressing } from "./payee-addressing.ts";

/* Addresses of TON, compared with those of its official library. */

const hotKey = Uint8Array.from(Buffer.alloc(32, 7));
const payees = createTonPayeeAddressing("main");
const onTest = createTonPayeeAddressing("test");
const someone = Address.parse("EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N");
const canonical = someone.toString({ bounceable: false });

describe("an address of TON", () => {
  it.each([
    ["bounceable", someone.toString()],
    ["non-bounceable", canonical],
    ["in the other alphabet of base64", someone.toString({ urlSafe: false })],
    ["raw", someone.toRawString()],
    ["raw in upper case", someone.toRawString().toUpperCase()],
  ])("is one destination when it is spelled %s", (_spelling, text) => {
    expect(payees.parse(text, "hello")).toEqual({
      address: canonical,
      addressType: null,
      tag: "hello",
    });
  });

  it("is refused on the main network when it is for test networks", () => {
    const text = someone.toString({ testOnly: true });
    expect(payees.parse(text, null)).toBeNull();
    expect(payees.explain?.(text)).toBe("The address is for test networks only.");
    expect(onTest.parse(text, null)).toEqual(onTest.parse(someone.toString(), null));
    expect(onTest.parse(text, null)?.address).toBe(
      someone.toString({ testOnly: true, bounceable: false }),
    );
  });

  it("is refused in the masterchain, with the reason", () => {
    const elector = "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF";
    expect(readTonAddress(elector)?.workchain).toBe(-1);
    expect(payees.parse(elector, null)).toBeNull();
    expect(payees.explain?.(elector)).toBe("Accounts of the masterchain are not paid.");
  });

  it.each([
    ["with a wrong checksum", `${canonical.slice(0, -1)}${canonical.endsWith("A") ? "B" : "A"}`],
    ["of the account without a key", new Address(0, Buffer.alloc(32)).toString()],
    ["that is too short", canonical.slice(0, -1)],
    ["of another chain", "rGFuMiw48HdbnrUbkRYuitXTmfrDBNTCnX"],
    ["with both alphabets of base64", `-/${canonical.slice(2)}`],
    ["of an unknown workchain", `1:${"ab".repeat(32)}`],
    ["that is empty", ""],
  ])("does not parse %s", (_what, text) => {
    expect(payees.parse(text, null)).toBeNull();
  });

  it("takes every comment that fits one cell, and no other", () => {
    const longest = "ü".repeat(commentBytesMax / 2);
    expect(payees.parse(canonical, longest)?.tag).toBe(longest);
    expect(payees.parse(canonical, `${longest}x`)).toBeNull();
    expect(payees.parse(canonical, "a\u0000b")).toBeNull();
    expect(payees.parse(canonical, "\ud800")).toBeNull();
  });
});

describe("the hot account", () => {
  it("is the wallet with the published code", () => {
    expect(highloadCode().hash().toString("hex")).toBe(highloadCodeHash);
    const { treasury } = createTonAddressing("main", hotKey);
    expect(treasury.hot.address).toBe("UQB5EfBvmzDL9xCFET7_6AWnv51O-L9kY9j3op5nnR65Wvt2");
  });

  it("has one entry in the pool for each deposit, told apart by comments", () => {
    const addressing = createTonAddressing("main", hotKey);
    const first = addressing.depositAt(0, null);
    expect(first).toEqual({ ...addressing.treasury.hot, tag: "1000000010" });
    expect(addressing.watchKey(first)).toBe(`${first.address}:1000000010`);
    expect(pooled(addressing, first, 0)).toEqual({
      index: 0,
      address: first.address,
      tag: first.tag,
      spellings: null,
      watchKey: `${first.address}:1000000010`,
    });
    expect(addressing.receivedUnder(`${first.address}:a:b`)).toEqual({ tag: "a:b" });
  });
});
