/**
 * Every email of the service as a mail program shows it: on phone, tablet and desktop, light and dark, in each language. Pictures
 * go to the folder of screenshots; none may have an axe violation, be wider than its screen, or ask anything of a server.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type EmailLanguage, emailLanguages } from "../../src/notifications/email-language.ts";
import { type Letter, renderLetter } from "../../src/notifications/letter.ts";
import type { NoticeContent } from "../../src/notifications/notice.ts";
import { noticeContent } from "../../src/notifications/notice-content.ts";
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
import type { Topic } from "../../src/notifications/topic.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { resultsFolder } from "./support/visit.ts";

const base = "https://pay.example.com";
const link = `${base}/ui/reset-password#c2VjcmV0LXRva2VuLW9mLXRoaXMtbGluaw`;
const site = { baseUrl: base, unsubscribeUrl: `${base}/unsubscribe/abc/` };
const amount = (value: string) => ({ value, code: "ETH" });
const address = "0x52908400098527886E0F7030069857D2E4169EE7";

const payment = (id: number) =>
  noticeContent({
    kind: "payment_received",
    deposit: { id: String(id), order: String(1_000 + id), label: null },
    amount: amount("0.040000000000000000"),
    worth: { value: "130.00", code: "USD" },
    transferId: null,
  });
const change = {
  id: "7",
  by: "Dana Fox",
  change: "set the USDT-ETH limit per day to 50000, from 10000",
  stated: {
    kind: "limit",
    code: "USDT-ETH",
    span: "day",
    walletId: null,
    former: "10000.000000",
    amount: "50000.000000",
    chain: null,
    address: null,
    tag: null,
    label: null,
    isEnforced: null,
  },
  shop: "Blue Teapot",
  applies_at: "2026-03-01T12:30:00.000000Z",
} as const;
const allowed = {
  ...change,
  stated: { ...change.stated, kind: "payee_addition", chain: "ETH", address, label: "Rent" },
} as const;
const held = noticeContent({
  kind: "payment_held",
  deposit: { id: "4", order: "4711", label: "Teapot" },
  amount: amount("0.05"),
  cause: "overpaid",
  difference: amount("0.01"),
});
const approval = noticeContent({
  kind: "payout_approval",
  id: "9",
  label: "Rent",
  trackingId: null,
  amount: amount("1.2"),
  worth: { value: "3900.00", code: "USD" },
  recipient: "Alice Ltd.",
  address,
  tag: null,
});
const waitingChange = noticeContent({
  kind: "change_approval",
  id: "7",
  by: "Dana Fox",
  change: allowed.stated,
});
const failing = noticeContent({
  kind: "webhook_failing",
  host: "a-shop-with-a-very-long-name.internal.integration.callbacks.example.com",
});
const stopped = noticeContent({
  kind: "payouts_stopped",
  chain: "BTC",
  wallet: null,
  cause: "kill_switch",
  reason: "A hot key may be stolen",
});
const down = noticeContent({ kind: "node_down", chain: "BTC" });

/** The notifications of one topic, in a language. */
const told = (topic: Topic, language: EmailLanguage, ...notices: readonly NoticeContent[]) =>
  notificationLetter(
    topic,
    { count: notices.length, notices, shop: "Blue Teapot" },
    language,
    site,
  );

const letters: Readonly<Record<string, Letter>> = {
  digest: notificationLetter(
    "paid",
    { count: 24, notices: Array.from({ length: 20 }, (_, index) => payment(index + 1)) },
    "en",
    site,
  ),
  "digest-of-two-kinds": told("approval_waiting", "de", approval, waitingChange),
  hold: told("on_hold", "de", held),
  approval: told("approval_waiting", "es", approval),
  webhook: told("webhook_failing", "en", failing),
  stopped: told("payouts_stopped", "zh", stopped),
  node: told("node_down", "de", down),
  "protection-applied": protectionAppliedLetter(change, link, "de"),
  ...Object.fromEntries(
    emailLanguages.flatMap((language) => [
      [`paid-${language}`, told("paid", language, payment(1))],
      [`protection-${language}`, protectionLetter(allowed, link, language)],
    ]),
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
    await page.setContent(renderLetter(letters["paid-en"]!).html);
    const settings = page.getByRole("link", { name: "Change your notifications" });
    expect(await settings.getAttribute("href")).toBe(`${base}/ui/profile`);
    expect(renderLetter(letters["paid-en"]!).text).toContain(
      `Change your notifications: ${base}/ui/profile`,
    );
  });
});
