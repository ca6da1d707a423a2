import { expect, it } from "vitest";
import german from "../../language/de.json" with { type: "json" };
import { attemptState, spendKind, waitText } from "./spend-words.ts";

it("names the kinds and states of transactions, and unknown ones as the API does", () => {
  expect(["sweep", "cold", "new_kind"].map(spendKind)).toEqual([
    "Sweep",
    "Transfer to cold wallet",
    "new kind",
  ]);
  expect(["drafted", "mined", "dead"].map(attemptState)).toEqual([
    "Drafted",
    "Included in a block",
    "dead",
  ]);
});

it.each([
  ["a block", "a block"],
  ["signing", "signing"],
  ["the signer's response", "the signer's response"],
  ["broadcast", "broadcast"],
  ["a second check of the result", "a second check of the result"],
  ["confirmations: 3 of 12", "confirmations: {count} of {needed}"],
  ["acceptance by the node: fee too low", "acceptance by the node: {reason}"],
  [
    "manual action: the signer rejected it (above (its) limit)",
    "manual action: the signer rejected it ({reason})",
  ],
])("has a text for what a transaction waits for: %s", (phrase, key) => {
  expect(waitText(phrase)).toBe(phrase);
  expect(Object.hasOwn(german, key)).toBe(true);
});

it("shows a phrase of another version as it is", () => {
  expect(waitText("the tide")).toBe("the tide");
});
