import { beginCell } from "@ton/core";
import { describe, expect, it } from "vitest";
import { Malformed } from "../rpc/answer.ts";
import { accountState, contractData } from "./questions.ts";

/* What nodes answer about accounts whose code and data are anybody's. */

const account = "UQCaegu8bOvulfiQo40h3m0ILYL2BSUOr_B9ak3GSww7QWUJ";
const hash = Buffer.alloc(32, 7);
const cell = beginCell().storeUint(5, 8).endCell();
const boc = cell.toBoc().toString("base64");

const answered = (members: object): object => ({
  balance: "999916800",
  last_transaction_id: { lt: "47000001", hash: hash.toString("base64") },
  block_id: { root_hash: hash.toString("base64"), seqno: 31 },
  code: boc,
  data: boc,
  sync_utime: 1_795_903_746,
  state: "active",
  ...members,
});

describe("the state of an account", () => {
  it.each([
    ["has data", {}],
    ["is active without data", { data: "" }],
    ["is active without code", { code: "", data: "" }],
    ["has data that is no bag of cells", { data: "AAAA" }],
  ])("is read if it %s", (_, members) => {
    expect(accountState(account, 31).read(answered(members))).toEqual({
      kind: "active",
      balance: 999_916_800n,
      last: { lt: 47_000_001n, hash: hash.toString("hex") },
      block: `${hash.toString("hex")}:31`,
      time: 1_795_903_746,
    });
  });
});

describe("a contract's data", () => {
  const read = (members: object) => contractData(account).read(answered(members));

  it("is a cell, or null without any", () => {
    expect(read({})?.equals(cell)).toBe(true);
    expect(read({ data: "" })).toBeNull();
    expect(read({ code: "", data: "", state: "uninitialized" })).toBeNull();
  });

  it("is refused if it is no bag of cells", () => {
    expect(() => read({ data: "AAAA" })).toThrow(Malformed);
  });
});
