import { describe, expect, it } from "vitest";
import type { PayeeAddressing } from "../../chains/port.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { present } from "../../platform/kernel/assert.ts";
import { readPayee } from "./read-payee.ts";

/** The receiver that a request names, and the tags that its chain allows. */

/** `r...` is an address, and `r...?5` one that contains the tag 5. */
const tagged: PayeeAddressing = {
  types: [],
  watchKey: ({ address }) => `key of ${address}`,
  parse: (text, tag) => {
    const [address = "", contained] = text.split("?");
    if (!address.startsWith("r")) return null;
    if (contained === undefined) return { address, addressType: null, tag };
    return tag === null || tag === contained
      ? { address, addressType: null, tag: contained }
      : null;
  },
};

const page = "8e03978e-40d5-43e8-bc93-6894a57f9324";
const nothing = {
  address: null,
  target_deposit: null,
  target_wallet: null,
  tag: null,
  tag_type: null,
  targetWalletPointer: "/data/attributes/target_wallet",
};

function read(alpha: string, request: Partial<Record<keyof typeof nothing, string | null>>) {
  const currency = builtInCurrencies.find((known) => known.alpha === alpha);
  const reading = readPayee(
    { ...nothing, ...request } as Parameters<typeof readPayee>[0],
    present(currency, alpha),
    tagged,
  );
  return {
    payee: reading.payee,
    faults: reading.faults.map(({ name, source }) => [name, Object.values(source ?? {})[0]]),
  };
}

const invalid = (field: string) => [["invalidValue", `/data/attributes/${field}`]];

describe("the tag", () => {
  it.each([
    ["XRP", null, null, []],
    ["XRP", "0", null, []],
    ["XRP", "4294967295", null, []],
    ["XRP", "4294967296", null, invalid("tag")],
    ["XRP", "-1", null, invalid("tag")],
    ["XRP", "1.5", null, invalid("tag")],
    ["XRP", " 1", null, invalid("tag")],
    ["XRP", "7", "1", invalid("tag_type")],
    ["XLM", null, null, []],
    ["XLM", null, "0", []],
    ["XLM", "18446744073709551615", "1", []],
    ["XLM", "18446744073709551616", "1", invalid("tag")],
    ["XLM", null, "1", invalid("tag")],
    ["XLM", "5", "0", invalid("tag")],
    ["XLM", "5", null, invalid("tag_type")],
    ["XLM", "5", "2", invalid("tag_type")],
    ["USDC-XLM", "5", "1", []],
    ["TON", "Rechnung Nr. 5 ☂", null, []],
    ["TON", "5", "1", invalid("tag_type")],
    ["ETH", "5", null, invalid("tag")],
    ["BTC", null, "0", invalid("tag_type")],
    ["USDT-ETH", "5", "1", [...invalid("tag"), ...invalid("tag_type")]],
  ])("of %s: validates %j with tag_type %j", (alpha, tag, tag_type, faults) => {
    expect(read(alpha, { address: "rich", tag, tag_type }).faults).toEqual(faults);
  });

  it("has one spelling", () => {
    const { payee } = read("XRP", { address: "rich", tag: "007" });
    expect(payee).toMatchObject({ destination: { tag: "7" } });
    expect(read("XLM", { address: "rich", tag: "00", tag_type: "1" }).payee).toMatchObject({
      destination: { tag: "0" },
    });
  });

  it("may stand in the address, and beside it only if it is the same", () => {
    const destination = { address: "rich", addressType: null, tag: "5" };
    for (const tag of [null, "5", "05"]) {
      const { payee, faults } = read("XRP", { address: "rich?5", tag });
      expect([payee, faults]).toEqual([
        { kind: "address", destination, watchKey: "key of rich" },
        [],
      ]);
    }
    expect(read("XRP", { address: "rich?5", tag: "6" }).faults).toEqual(invalid("tag"));
    expect(read("XRP", { address: "poor?5", tag: "6" }).faults).toEqual([
      ["addressRefused", "/data/attributes/address"],
    ]);
  });

  it("in the address contradicts tag_type 0, which means none", () => {
    const destination = { address: "rich", addressType: null, tag: "5" };
    for (const tag_type of [null, "1"]) {
      const tag = tag_type === null ? null : "5";
      expect(read("XLM", { address: "rich?5", tag, tag_type }).payee).toMatchObject({
        destination,
      });
    }
    expect(read("XLM", { address: "rich?5", tag_type: "0" }).faults).toEqual(invalid("tag"));
    expect(read("XLM", { address: "rich", tag_type: "0" }).faults).toEqual([]);
  });

  it("is part of the destination, including zero", () => {
    expect(read("XRP", { address: "rich", tag: "0" }).payee).toEqual({
      kind: "address",
      destination: { address: "rich", addressType: null, tag: "0" },
      watchKey: "key of rich",
    });
  });
});

it("of a chain without tags is refused in a sentence", () => {
  const { faults } = readPayee(
    { ...nothing, address: "rich", tag: "5", tag_type: "1" },
    present(
      builtInCurrencies.find(({ alpha }) => alpha === "ETH"),
      "ETH",
    ),
    tagged,
  );
  expect(faults.map(({ detail }) => detail)).toEqual([
    "ETH payouts take no tag.",
    "ETH payouts take no tag_type.",
  ]);
});

describe("the receiver", () => {
  it("is exactly one of address, target_deposit and target_wallet", () => {
    expect(read("ETH", {}).faults).toEqual(invalid("address"));
    const all = { address: "rich", target_deposit: page, target_wallet: "5" };
    expect(read("ETH", all).faults).toEqual([
      ...invalid("target_deposit"),
      ...invalid("target_wallet"),
    ]);
    expect(read("ETH", { ...all, target_deposit: null }).faults).toEqual(invalid("target_wallet"));
    expect(read("ETH", { target_deposit: page.toUpperCase() })).toEqual({
      payee: { kind: "deposit", paymentPageId: page },
      faults: [],
    });
    expect(read("ETH", { target_wallet: "5" })).toEqual({
      payee: { kind: "wallet", walletId: "5" },
      faults: [],
    });
  });

  it("is rejected if it is neither a valid address, nor a page, nor a wallet", () => {
    expect(read("ETH", { address: "poor" }).faults).toEqual([
      ["addressRefused", "/data/attributes/address"],
    ]);
    expect(read("ETH", { target_deposit: "poor" }).faults).toEqual(invalid("target_deposit"));
    expect(read("ETH", { target_wallet: "05" }).faults).toEqual(invalid("target_wallet"));
    expect(read("XRP", { target_wallet: "5", tag: "1" }).faults).toEqual(invalid("tag"));
  });

  it("is not checked on a chain whose addresses cannot be parsed here", () => {
    const tron = present(
      builtInCurrencies.find(({ alpha }) => alpha === "TRX"),
      "TRX",
    );
    expect(readPayee({ ...nothing, address: "anything" }, tron, null)).toEqual({
      payee: { kind: "none" },
      faults: [],
    });
  });
});
