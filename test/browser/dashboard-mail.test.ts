/**
 * Email in the dashboard, with the sandbox's own mail server: notification settings, an invitation from the button to the first
 * sign-in, a forgotten password, and the link that stops notifications. A payer gets a receipt from the payment page.
 */
import { dirname } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { readSandboxFile } from "../../src/sandbox/sandbox-file.ts";
import { addressOf, withShop } from "../scenarios/support/shop.ts";
import { type BrowserSite, describeInBrowser } from "./support/browser-suite.ts";
import { openDashboard, whoLooksIsKnown } from "./support/open-dashboard.ts";
import { openPayer } from "./support/payment-page.ts";
import { presentable } from "./support/presentable.ts";

const password = "correct horse battery";

type Email = { readonly to: readonly string[]; readonly subject: string; readonly text: string };

describeInBrowser("email in the dashboard", (site) => {
  it("invites a colleague, who joins, forgets the password, and chooses notifications", {
    timeout: 900_000,
  }, async () => {
    const owner = await openDashboard(site, "/team");
    await whoLooksIsKnown(owner.page);
    await owner.page.getByRole("button", { name: "Invite member" }).click();
    const dialog = owner.page.getByRole("dialog", { name: "Invite member" });
    await dialog.getByLabel("Name").fill("Dana Fox");
    await dialog.getByRole("textbox", { name: "Email" }).fill("dana@shop.example");
    await dialog.getByLabel("Role").selectOption("Admin");
    await owner.expectAccessible();
    await dialog.getByRole("button", { name: "Send invitation" }).click();
    await dialog.waitFor({ state: "detached" });
    await owner.page.getByRole("list", { name: "Open invitations" }).waitFor();
    await presentable(owner, "dashboard-invitations");

    const dana = await site.open("/ui/login");
    const invitation = await linkIn(site, "dana@shop.example", /invited you/);
    await dana.page.goto(invitation);
    await dana.page.getByRole("heading", { name: "Join the team" }).waitFor();
    await dana.page.getByText(/invited you to join/).waitFor();
    await dana.page.getByText("Your role: Admin").waitFor();
    await fillPassword(dana.page, password);
    await presentable(dana, "dashboard-accept-invitation");
    await dana.page.getByRole("button", { name: "Join" }).click();
    await dana.page.getByRole("heading", { name: "Overview" }).waitFor();
    await dana.page.getByRole("button", { name: "Your account" }).click();
    await dana.page.getByText("Dana Fox").waitFor();
    await dana.page.getByRole("menuitem", { name: "Sign out" }).click();
    await dana.page.getByRole("heading", { name: "Sign in to Sluice" }).waitFor();
    await dana.page.goto(invitation);
    await dana.page.getByText("This invitation has already been used.").waitFor();
    await presentable(dana, "dashboard-used-invitation");
    await dana.page.getByRole("link", { name: "Sign in" }).click();
    await dana.page.getByRole("link", { name: "Forgot password?" }).click();
    await dana.page.getByLabel("Login or email").fill("dana@shop.example");
    await presentable(dana, "dashboard-forgot-password");
    await dana.page.getByRole("button", { name: "Send link" }).click();
    await dana.page.getByText("a link is on its way").waitFor();
    await dana.page.goto(await linkIn(site, "dana@shop.example", /^Reset your password$/));
    await dana.page.getByRole("heading", { name: "Reset password" }).waitFor();
    await fillPassword(dana.page, `${password} again`);
    await presentable(dana, "dashboard-reset-password");
    await dana.page.getByRole("button", { name: "Save password" }).click();
    await dana.page.getByText("Your new password is saved").waitFor();

    await dana.page.goto("/ui/profile");
    await dana.page.getByRole("textbox", { name: "Login" }).fill("dana@shop.example");
    await dana.page.getByRole("textbox", { name: "Password" }).fill(`${password} again`);
    await site.untilSignInAllowed();
    await dana.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await dana.page.getByRole("heading", { name: "Notifications", exact: true }).waitFor();
    const email = dana.page.getByRole("textbox", { name: "Email" });
    expect(await email.inputValue()).toBe("dana@shop.example");
    await dana.page.getByRole("checkbox", { name: "A deposit is paid: Email" }).check();
    await email.fill("dana.fox@shop.example");
    await dana.page.getByRole("button", { name: "Save email" }).click();
    await dana.page.getByText(/Not confirmed yet/).waitFor();
    await presentable(dana, "dashboard-notifications");
    await dana.page.goto(await linkIn(site, "dana.fox@shop.example", /^Confirm your email/));
    await presentable(dana, "dashboard-verify-email");
    await dana.page.getByRole("button", { name: "Confirm address" }).click();
    await dana.page.getByText("dana.fox@shop.example is confirmed.").waitFor();

    // Emails are in the language that she chooses for the dashboard.
    await dana.page.goto("/ui/profile");
    await dana.page.locator("main select").first().selectOption("de");
    await dana.page.locator("html[lang|=de]").waitFor({ state: "attached" });
    const languageOf = async (): Promise<string | undefined> => {
      const [contact] = await site
        .testSite()
        .sql<{ readonly language: string }>(
          "select language from member_contact where email = 'dana.fox@shop.example'",
        );
      return contact?.language;
    };
    await expect.poll(languageOf, { timeout: 90_000 }).toBe("de");
    await dana.page.goto("/ui/forgot-password");
    await dana.page.getByLabel("Login oder E-Mail-Adresse").fill("dana.fox@shop.example");
    await dana.page.getByRole("button", { name: "Link senden" }).click();
    await untilEmail(site, "dana.fox@shop.example", /^Setzen Sie Ihr Passwort zurück$/);
  });

  it(
    "sends a payer a receipt, and tells members of the payment until they stop it",
    {
      timeout: 900_000,
    },
    () =>
      withShop(site.testSite(), async (shop) => {
        const wallet = await shop.wallet("merchant", "USD");
        const deposit = await shop.deposit(wallet, { target_amount_requested: "20" }, "ETH");
        const payer = await openPayer(site, deposit);
        await site.testSite().onChain("ETH", async (chain) => {
          const { source_amount_requested: amount } = await shop.read(deposit);
          await chain.pay("ETH", addressOf(deposit), amount as string);
          await chain.mine(13);
        });
        await payer.page.getByRole("heading", { name: "Paid" }).waitFor();
        await payer.page.getByRole("heading", { name: "Receipt by email" }).waitFor();
        await payer.page.getByLabel("Email address").fill("payer@example.com");
        await payer.expectPresentable("mail-receipt");
        await payer.page.getByRole("button", { name: "Send receipt" }).click();
        await payer.page.getByText("The receipt is on its way to payer@example.com.").waitFor();
        await untilEmail(site, "payer@example.com", /receipt/);
        const told = await untilEmail(site, "alex.morgan@demo-shop.example", /received/);
        expect(told.text).toContain("/ui/deposits");
      }),
  );
});

async function fillPassword(page: Page, chosen: string): Promise<void> {
  await page.getByLabel("New password").fill(chosen);
  await page.getByLabel("Confirm password").fill(chosen);
}

/** Waits for an email that the sandbox's mail server received. */
async function untilEmail(site: BrowserSite, to: string, subject: RegExp): Promise<Email> {
  const { mail_url } = await readSandboxFile(dirname(site.deployment().configFile));
  const newest = async (): Promise<Email | undefined> => {
    const emails = (await (await fetch(mail_url)).json()) as readonly Email[];
    return emails.findLast((email) => email.to.includes(to) && subject.test(email.subject));
  };
  await expect.poll(newest, { timeout: 900_000 }).toBeDefined();
  return present(await newest(), `an email to ${to}`);
}

/** The link in an email, with its token. */
async function linkIn(site: BrowserSite, to: string, subject: RegExp): Promise<string> {
  const { text } = await untilEmail(site, to, subject);
  return /https?:\/\/\S+#[\w-]{43}/.exec(text)?.[0] ?? "";
}
