import { expect, it } from "vitest";
import { translated } from "../../language/t.ts";
import { actionText } from "./action-text.ts";

/* In English every text reads as the service sends it, so what the patterns recognize is complete. */

it.each([
  "Paid 0.024 ETH. It confirms after 12 blocks of ETH.",
  "Paid 40 DAI. It confirms after 1 block of ETH.",
  "Mined a block.",
  "Mined 12 blocks.",
  "Replaced the newest block. Their transactions are pending again.",
  "Replaced the newest 3 blocks. The new blocks include their transactions.",
  "A text that no pattern knows.",
])("keeps the sense of: %s", (text) => {
  expect(actionText(text)).toBe(text);
});

it("groups the digits of an amount as the rest of the page does", () => {
  expect(actionText("Paid 1234.5 DAI. It confirms after 12 blocks of ETH.")).toBe(
    `${translated("Paid {amount}.").replace("{amount}", "1,234.5 DAI")} It confirms after 12 blocks of ETH.`,
  );
});
