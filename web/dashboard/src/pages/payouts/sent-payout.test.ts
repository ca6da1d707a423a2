import { describe, expect, it } from "vitest";
import { type DraftStorage, forgetSent, readSent, rememberSent } from "./sent-payout.ts";

function storage(): DraftStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => {
      items.set(key, value);
    },
    removeItem: (key) => {
      items.delete(key);
    },
  };
}

const sent = { key: "k", request: { attributes: { amount: "1" }, relationships: {} } };

describe("readSent", () => {
  it("returns the recorded payout until it is forgotten", () => {
    const store = storage();
    expect(readSent(store)).toBeNull();
    rememberSent(store, sent);
    expect(readSent(store)).toEqual(sent);
    forgetSent(store);
    expect(readSent(store)).toBeNull();
  });

  it("returns null for malformed records", () => {
    const store = storage();
    store.setItem("sluice-payout-sent", "{");
    expect(readSent(store)).toBeNull();
    store.setItem("sluice-payout-sent", "null");
    expect(readSent(store)).toBeNull();
  });
});
