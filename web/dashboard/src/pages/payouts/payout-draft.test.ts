import { expect, test } from "vitest";
import { type DraftStorage, forgetSent, readSent, rememberSent } from "./payout-draft.ts";

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

const sent = { key: "k", order: { attributes: { amount: "1" }, relationships: {} } };

test("what was sent is found again until it was answered", () => {
  const kept = storage();
  expect(readSent(kept)).toBeNull();
  rememberSent(kept, sent);
  expect(readSent(kept)).toEqual(sent);
  forgetSent(kept);
  expect(readSent(kept)).toBeNull();
});

test("what is no record of a payout is none", () => {
  const kept = storage();
  kept.setItem("sluice-payout-sent", "{");
  expect(readSent(kept)).toBeNull();
  kept.setItem("sluice-payout-sent", "null");
  expect(readSent(kept)).toBeNull();
});
