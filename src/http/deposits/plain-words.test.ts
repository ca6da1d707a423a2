import { describe, expect, it } from "vitest";
import { plainWordsOf } from "./plain-words.ts";

describe("a page for browsers without JavaScript", () => {
  it.each([
    [null, "Mug. Enable JavaScript to pay."],
    ["fr, it;q=0.5", "Mug. Enable JavaScript to pay."],
    ["de-AT,en;q=0.5", "Mug. Aktivieren Sie JavaScript, um zu bezahlen."],
    ["fr,ES;q=0.8", "Mug. Active JavaScript para pagar."],
    ["zh-Hant-TW", "Mug。请启用 JavaScript 以付款。"],
  ])("speaks the first language that it knows of %s", (header, text) => {
    expect(plainWordsOf(header).enable("Mug")).toBe(text);
  });

  it("names the tag without which the payment is lost", () => {
    const { pay } = plainWordsOf("en");
    expect(pay("5 XRP", "the XRP Ledger", "rAddress", "17")).toBe(
      "Send 5 XRP on the XRP Ledger to rAddress with the tag 17. Without the tag, the payment will be lost. Reload this page to see the status of your payment.",
    );
  });
});
