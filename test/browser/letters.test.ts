/**
 * Every email of the service as a mail program shows it: on phone, tablet and desktop, light and dark, receipts and those about access in each language. Pictures
 * go to the folder of screenshots; none may have an axe violation, be wider than its screen, or ask anything of a server.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { emailLanguages } from "../../src/notifications/email-language.ts";
import { type Letter, renderLetter } from "../../src/notifications/letter.ts";
import { notificationLetter } from "../../src/notifications/notification-letter.ts";
import {
  addressChangedLetter,
  invitationLetter,
  passwordChangedLetter,
  passwordResetLetter,
  verificationLetter,
} from "../../src/notifications/people-letters.ts";
import {
  protectionAppliedLetter,
  protectionLetter,
} from "../../src/notifications/protection-letters.ts";
import { receiptLetter } from "../../src/notifications/receipt-letter.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { resultsFolder } from "./support/visit.ts";

const base = "https://pay.example.com";
const link = `${base}/ui/reset-password#c2VjcmV0LXRva2VuLW9mLXRoaXMtbGluaw`;
const site = { baseUrl: base, unsubscribeUrl: `${base}/unsubscribe/abc/` };
const notice = (line: string, path: string) => ({ line, path });
const payment = (id: number) =>
  notice(`Deposit ${id} (order ${1_000 + id}): 0.04 ETH`, `deposits/${id}`);
const change = {
  id: "7",
  by: "Dana Fox",
  change: "set the USDT-ETH limit per day to 50000, from 10000",
  applies_at: "2026-03-01T12:30:00.000000Z",
};

const letters: Readonly<Record<string, Letter>> = {
  paid: notificationLetter("paid", { count: 1, notices: [payment(1)] }, site),
  digest: notificationLetter(
    "paid",
    { count: 24, notices: Array.from({ length: 20 }, (_, index) => payment(index + 1)) },
    site,
  ),
  hold: notificationLetter(
    "on_hold",
    { count: 1, notices: [notice("Deposit 4: a payment is on hold", "deposits/4")] },
    site,
  ),
  approval: notificationLetter(
    "approval_waiting",
    { count: 1, notices: [notice("Payout 9 (Rent): 1.2 ETH, needs approval", "payouts/9")] },
    site,
  ),
  webhook: notificationLetter(
    "webhook_failing",
    {
      count: 1,
      notices: [
        notice(
          "https://a-shop-with-a-very-long-name.internal.example.com/integration/callbacks/v2/deposits: 3 failures in a row",
          "callbacks",
        ),
      ],
    },
    site,
  ),
  ...Object.fromEntries(
    emailLanguages.flatMap((language) => [
      [`verification-${language}`, verificationLetter(link, language)],
      [
        `invitation-${language}`,
        invitationLetter(
          { account: "Blue Teapot", inviter: "Dana Fox", role: "admin" },
          link,
          language,
        ),
      ],
      [`password-reset-${language}`, passwordResetLetter(link, language)],
      [`password-changed-${language}`, passwordChangedLetter(link, language)],
      [
        `address-changed-${language}`,
        addressChangedLetter("dana.new@shop.example", link, language),
      ],
      [`address-removed-${language}`, addressChangedLetter(null, link, language)],
    ]),
  ),
  protection: protectionLetter(change, link),
  "protection-applied": protectionAppliedLetter(change, link),
  ...Object.fromEntries(
    emailLanguages.map((language) => [
      `receipt-${language}`,
      receiptLetter(
        {
          amount: "0.04",
          code: "ETH",
          shop: "Blue Teapot & Sons",
          order: "4711",
          description: "Teapot, blue, 1 liter",
          note: "Blue Teapot, 1 Main Street\nVAT DE 123456789",
          page: `${base}/pay/6f1c1c9e-4f0e-4b8e-9a37-2f0f1f6a7a10`,
          paidAt: "2026-03-01 12:30 UTC",
        },
        language,
      ),
    ]),
  ),
};

const looks = [
  { name: "phone-light", scheme: "light", size: { width: 390, height: 844 } },
  { name: "phone-dark", scheme: "dark", size: { width: 390, height: 844 } },
  { name: "tablet-light", scheme: "light", size: { width: 820, height: 1180 } },
  { name: "tablet-dark", scheme: "dark", size: { width: 820, height: 1180 } },
  { name: "desktop-light", scheme: "light", size: { width: 1280, height: 800 } },
  { name: "desktop-dark", scheme: "dark", size: { width: 1280, height: 800 } },
] as const;

describeInBrowser("emails", (browser) => {
  it("can be read on every screen, light and dark", { timeout: 900_000 }, async () => {
    const folder = join(resultsFolder, "screenshots");
    await mkdir(folder, { recursive: true });
    const { page, expectAccessible } = await browser.open("/ping");
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    for (const [name, letter] of Object.entries(letters)) {
      await page.setContent(renderLetter(letter).html);
      const words = (await page.locator("body").innerText()).replaceAll(/\s+/g, " ");
      for (const paragraph of letter.paragraphs) expect(words).toContain(paragraph);
      for (const { name: look, scheme, size } of looks) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme: scheme });
        const path = join(folder, `letter-${name}-${look}.png`);
        await page.screenshot({ path, fullPage: true, animations: "disabled" });
        await expectAccessible();
        const width = await page.evaluate<number>("document.documentElement.scrollWidth");
        expect([name, look, width]).toEqual([name, look, size.width]);
      }
    }
    expect(requested).toEqual([]);
  });

  it("keep the lines of a store's own note, and link where the small print says", async () => {
    const { page } = await browser.open("/ping");
    await page.setContent(renderLetter(letters["receipt-en"]!).html);
    const note = page.locator("p", { hasText: "VAT DE 123456789" });
    expect(await note.innerText()).toBe("Blue Teapot, 1 Main Street\nVAT DE 123456789");
    await page.setContent(renderLetter(letters["paid"]!).html);
    const settings = page.getByRole("link", { name: "Change what you're told" });
    expect(await settings.getAttribute("href")).toBe(`${base}/ui/profile`);
    expect(renderLetter(letters["paid"]!).text).toContain(
      `Change what you're told: ${base}/ui/profile`,
    );
  });
});
