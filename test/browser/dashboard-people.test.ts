import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { addSeconds, type Instant } from "../../src/platform/kernel/clock.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { type BrowserSite, describeInBrowser } from "./support/browser-suite.ts";
import { openDashboard, whoLooksIsKnown } from "./support/open-dashboard.ts";
import { presentable } from "./support/presentable.ts";

/*
 * People in the dashboard: added by an Owner, signing in with password, code, recovery code and passkey, and what they may view.
 */

const password = "correct horse battery";

describeInBrowser("people in the dashboard", (site) => {
  it("lets an Owner add a person, who signs in with an initial password and must change it", async () => {
    const owner = await openDashboard(site, "/team");
    await owner.page.getByRole("button", { name: "Invite member" }).click();
    const dialog = owner.page.getByRole("dialog", { name: "Invite member" });
    await dialog.getByRole("radio", { name: "Initial password" }).check();
    await dialog.getByLabel("Name").fill("Cy");
    await dialog.getByLabel("Role").selectOption("Payouts");
    await dialog.getByLabel("Login").fill("cy@shop.example");
    await dialog.getByLabel("All wallets").uncheck();
    await dialog.getByRole("checkbox", { name: "USD store", exact: true }).check();
    await owner.expectAccessible();
    await owner.shoot("dashboard-new-member");
    await dialog.getByRole("button", { name: "Add member" }).click();
    await dialog.getByText("Save this now. It won't be shown again.").waitFor();
    const first = await secretOf(dialog, "Initial password");
    await owner.expectAccessible();
    await owner.shoot("dashboard-first-password");
    await dialog.getByRole("button", { name: "Done" }).click();
    await owner.page.getByRole("row", { name: /cy@shop.example/ }).waitFor();
    await presentable(owner, "dashboard-team");

    const cy = await site.open("/ui/payouts");
    await signIn(site, cy.page, "cy@shop.example", first);
    await cy.page.getByText("Set a new password to continue.").waitFor();
    await expect.poll(() => new URL(cy.page.url()).pathname).toBe("/ui/profile");
    await cy.expectAccessible();
    await cy.shoot("dashboard-first-sign-in");
    await choosePassword(cy.page, "my own long password");
    await cy.page.getByRole("link", { name: "Deposits" }).click();
    await cy.page.getByRole("heading", { level: 1, name: "Deposits" }).waitFor();
    // Not available to this role.
    expect(await cy.page.getByRole("link", { name: "Team" }).count()).toBe(0);
    await cy.page.goto("/ui/team");
    await cy.page.getByText("Only Owners and Admins can view this page.").waitFor();
    expect(await cy.page.getByRole("button", { name: "Invite member" }).count()).toBe(0);
  });

  it("lets a second Owner confirm a member whom the first one added", async () => {
    const [second, clerk] = ["olga@shop.example", "dora@shop.example"];
    const first = await addPerson(site, second, "owner");
    // Nobody can be confirmed before the initial password is changed, or list members.
    const hers = await site.open("/ui/profile");
    await signIn(site, hers.page, clerk, await addPerson(site, clerk, "withdrawals"));
    await choosePassword(hers.page, "my own long password");
    const visit = await site.open("/ui/profile");
    const { page } = visit;
    await signIn(site, page, second, first);
    await choosePassword(page, password);
    await page.goto("/ui/team");
    const row = page.getByRole("row", { name: new RegExp(clerk) });
    await row.waitFor();
    await row.getByRole("button", { name: /^Actions for/ }).click();
    await page.getByRole("menuitem", { name: "Confirm" }).click();
    const dialog = page.getByRole("dialog", { name: /^Confirm / });
    await visit.expectAccessible();
    await visit.shoot("dashboard-confirm-member");
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await dialog.waitFor({ state: "detached" });
    await row.getByRole("button", { name: /^Actions for/ }).click();
    await page.getByRole("menuitem", { name: "Reset access" }).waitFor();
    // The list is loaded again after the dialog has closed.
    await expect.poll(() => page.getByRole("menuitem", { name: "Confirm" }).count()).toBe(0);
  });

  it("lets members change limits and allowlist, and a second one approve what loosens them", async () => {
    const login = "kim@shop.example";
    const initial = await addPerson(site, login, "admin");
    // As the operator does, because the account may have several Owners by now.
    await site
      .testSite()
      .sql("update member set confirmed_at = created_at where name = $1", ["kim"]);
    const owner = await openDashboard(site, "/protection");
    const said = (page: Page, text: string) => page.getByText(text).first().waitFor();
    await setDailyLimit(owner.page, "1", null);
    await said(owner.page, "The change is in effect.");
    await owner.page.getByRole("row", { name: /All wallets.*Per day.*1.*ETH/ }).waitFor();
    await owner.page.getByRole("button", { name: "Turn on allowlist" }).click();
    const asking = owner.page.getByRole("dialog", { name: "Turn on the allowlist?" });
    await asking.getByRole("button", { name: "Turn on allowlist" }).click();
    await said(owner.page, "Only these addresses can be paid.");

    const kim = await site.open("/ui/profile");
    await signIn(site, kim.page, login, initial);
    await choosePassword(kim.page, password);
    await kim.page.goto("/ui/protection");
    await kim.page.getByRole("button", { name: /^Change limit: ETH/ }).click();
    await kim.expectAccessible();
    await kim.shoot("dashboard-protection-limit");
    await fillLimit(kim.page, "5", "Salaries are due");
    await said(kim.page, "The change is waiting for another Owner or Admin to approve it.");
    await kim.page.getByRole("button", { name: "Allow address" }).click();
    const adding = kim.page.getByRole("dialog", { name: "Allow address" });
    await adding.getByLabel("Name").fill("Supplier");
    await choose(kim.page, "Currency", "ETH");
    await adding
      .getByRole("textbox", { name: "Address" })
      .fill("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
    await kim.shoot("dashboard-protection-address");
    await adding.getByRole("button", { name: "Allow address" }).click();
    await adding.waitFor({ state: "detached" });
    const waiting = (page: Page) => page.getByRole("list", { name: "Pending changes" });
    await expect.poll(() => waiting(kim.page).getByRole("listitem").count()).toBe(2);
    expect(await kim.page.getByRole("button", { name: /^Approve change/ }).count()).toBe(0);

    await owner.page.reload();
    const raise = waiting(owner.page).getByRole("listitem").filter({ hasText: "Salaries are due" });
    await raise.getByText("Requested by kim").waitFor();
    await presentable(owner, "dashboard-protection");
    await raise.getByRole("button", { name: /^Approve change/ }).click();
    const dialog = owner.page.getByRole("dialog", { name: "Approve this change?" });
    await dialog.getByText("→").waitFor();
    await presentable(owner, "dashboard-protection-approve");
    await dialog.getByRole("button", { name: "Approve change" }).click();
    await owner.page.getByRole("row", { name: /All wallets.*Per day.*5.*ETH/ }).waitFor();
    const supplier = waiting(owner.page).getByRole("listitem").filter({ hasText: "Supplier" });
    await supplier.getByRole("button", { name: /^Reject change/ }).click();
    await owner.page
      .getByRole("dialog", { name: "Reject this change?" })
      .getByRole("button", { name: "Reject change" })
      .click();
    await waiting(owner.page).waitFor({ state: "detached" });
    await owner.page.getByText("The allowlist is empty.").waitFor();
  });

  it("sets up an authenticator app, asks for its code, and accepts a recovery code once", async () => {
    const visit = await site.open("/ui/profile");
    const { page } = visit;
    const login = "ada@shop.example";
    await signIn(site, page, login, await addPerson(site, login, "admin"));
    await choosePassword(page, password);
    await page.getByRole("button", { name: "Set up app" }).click();
    const dialog = page.getByRole("dialog", { name: "Set up authenticator app" });
    await dialog.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
    const secret = await dialog.locator(".code-text").innerText();
    await visit.expectAccessible();
    await visit.shoot("dashboard-totp");
    await dialog.getByLabel("Code from the app").fill(wrongCodeOf(secret));
    visit.expectErrors(/400/, /401/, /403/);
    await dialog.getByRole("button", { name: "Turn on" }).click();
    await dialog.getByText(/The code is wrong/).waitFor();
    await dialog.getByLabel("Code from the app").fill(codeOf(secret, 0));
    await dialog.getByRole("button", { name: "Turn on" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Generate recovery codes" }).click();
    const codes = page.getByRole("dialog", { name: "Your recovery codes" });
    await expect.poll(() => codes.locator("li").count()).toBe(10);
    const recovery = await codes.locator("li").allInnerTexts();
    await visit.expectAccessible();
    await visit.shoot("dashboard-recovery-codes");
    await codes.getByRole("button", { name: "Copy all codes" }).click();
    await codes.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(recovery.join("\n"));
    await codes.getByRole("button", { name: "Done" }).click();
    await page.getByText("10 left").waitFor();

    await letMinutesPass(site, login);
    await page.getByRole("button", { name: "Generate new codes" }).click();
    const again = page.getByRole("dialog", { name: "Confirm it's you" });
    const proof = again.getByLabel("Password or authenticator code");
    await expect.poll(() => page.evaluate("document.activeElement.type")).toBe("password");
    await proof.fill(wrongCodeOf(secret));
    await again.getByRole("button", { name: "Confirm" }).click();
    await again.getByText("Incorrect or expired code.").waitFor();
    await presentable(visit, "dashboard-confirm");
    await page.setViewportSize({ width: 1280, height: 800 });
    // Closing it changes nothing.
    await page.keyboard.press("Escape");
    await again.waitFor({ state: "detached" });
    // Enabled again once the request is finished.
    await expect
      .poll(() => page.getByRole("button", { name: "Generate new codes" }).isEnabled())
      .toBe(true);
    expect(await codes.count()).toBe(0);
    // The notification of the saved password may still be there.
    const notifications = page.locator(".mantine-Notification-root");
    const others = notifications.filter({ hasNotText: "Password saved" });
    expect(await others.allInnerTexts()).toEqual([]);
    await page.getByRole("button", { name: "Generate new codes" }).click();
    await proof.fill(codeOf(secret, 0));
    await again.getByRole("button", { name: "Confirm" }).click();
    await expect.poll(() => codes.locator("li").count()).toBe(10);
    const renewed = await codes.locator("li").allInnerTexts();
    expect(renewed).not.toEqual(recovery);
    await codes.getByRole("button", { name: "Done" }).click();
    await presentable(visit, "dashboard-profile");
    await page.setViewportSize({ width: 1280, height: 800 });

    await signOut(page);
    await signIn(site, page, login, password);
    await page.getByLabel("Authenticator code").fill(wrongCodeOf(secret));
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Invalid code").waitFor();
    await visit.expectAccessible();
    await visit.shoot("dashboard-second-factor");
    // The code of this half minute was used to turn the app on.
    await page.getByLabel("Authenticator code").fill(codeOf(secret, 1));
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor({ state: "attached" });

    await signOut(page);
    await signIn(site, page, login, password);
    await page.getByLabel("Authenticator code").fill(renewed[0] ?? "");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor({ state: "attached" });
    await page.goto("/ui/profile");
    await page.getByText("9 left").waitFor();
  });

  it("creates a passkey, signs in with it alone, and removes it", async () => {
    const visit = await site.open("/ui/login");
    // Passkeys require a host name: the same sandbox by the name of this machine.
    const page = await visit.context.newPage();
    const { port } = new URL(site.origin());
    const devices = await visit.context.newCDPSession(page);
    await devices.send("WebAuthn.enable");
    await devices.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        automaticPresenceSimulation: true,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    await page.goto(`http://localhost:${port}/ui/profile`);
    const login = "bob@shop.example";
    await signIn(site, page, login, await addPerson(site, login, "admin"));
    await choosePassword(page, password);
    await page.getByLabel("Device name").fill("Laptop");
    await page.getByRole("button", { name: "Add passkey" }).click();
    const list = page.getByRole("list", { name: "Your passkeys" });
    await list.getByText("Laptop").waitFor();
    await signOut(page);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor({ state: "attached" });
    await page.goto(`http://localhost:${port}/ui/profile`);
    await list.getByText(/last used/).waitFor();
    await letMinutesPass(site, login);
    expect(await list.innerText()).not.toContain("never");
    await page.getByRole("button", { name: "Rename Laptop" }).click();
    await page.getByLabel("New name for Laptop").fill("Old laptop");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Remove Old laptop" }).click();
    await page.getByRole("button", { name: "Remove passkey" }).click();
    const again = page.getByRole("dialog", { name: "Confirm it's you" });
    // No code is asked for, because there is no authenticator app.
    await again.getByLabel(/^Password( \*)?$/).waitFor();
    await again.getByRole("button", { name: "Use a passkey" }).click();
    await list.waitFor({ state: "detached" });
  });

  it("creates a program's credential with an allow-list, shows its password once, and revokes it", async () => {
    const visit = await openDashboard(site, "/credentials");
    const { page } = visit;
    visit.expectErrors(/400/);
    await page.getByRole("button", { name: "Create API key" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create API key" });
    await dialog.getByLabel("Label").fill("Web shop");
    await dialog.getByLabel("Acts as").selectOption("Alex Morgan");
    await dialog.getByLabel("IP allowlist").fill("127.0.0.0/8\n10.0.0.0/99");
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    await dialog.getByText(/network in CIDR notation/).waitFor();
    await visit.expectAccessible();
    await visit.shoot("dashboard-new-credential");
    await dialog.getByLabel("IP allowlist").fill("127.0.0.0/8");
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    const created = {
      login: await secretOf(dialog, "Login"),
      password: await secretOf(dialog, "Password"),
    };
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Done" }).click();
    await site.untilSignInAllowed();
    expect((await logIn(site, created)).status).toBe(200);
    const row = page.getByRole("row", { name: /Web shop/ });
    await row.getByRole("button", { name: "Actions for Web shop" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const change = page.getByRole("dialog", { name: "Edit API key" });
    await change.getByLabel("IP allowlist").fill("192.0.2.0/24");
    await change.getByRole("button", { name: "Save" }).click();
    await change.getByLabel(/^Save even though my current address/).check();
    await change.getByRole("button", { name: "Save" }).click();
    await change.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Reveal" }).click();
    await page.getByText(/^whsec_/).waitFor();
    await presentable(visit, "dashboard-credentials");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("button", { name: "Rotate" }).click();
    const rotation = page.getByRole("dialog", { name: "Rotate the webhook secret?" });
    await rotation.waitFor();
    await visit.expectAccessible();
    await rotation.getByRole("button", { name: "Rotate" }).click();
    await page.getByText(/Active until/).waitFor();
    await row.getByRole("button", { name: "Actions for Web shop" }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await row.getByText("Revoked").waitFor();
    await page.getByRole("link", { name: "Audit log" }).click();
    const log = page.getByRole("table", { name: "Audit log" });
    for (const action of ["API key revoked", "Webhook secret rotated", "API key created"])
      await log.getByText(action).first().waitFor();
    await presentable(visit, "dashboard-audit-log");
  });

  it("shows a Read only member no action on any page", async () => {
    const visit = await site.open("/ui/profile");
    const { page } = visit;
    const login = "dee@shop.example";
    await signIn(site, page, login, await addPerson(site, login, "read_only"));
    await choosePassword(page, password);
    await page.goto("/ui");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await whoLooksIsKnown(page);
    for (const name of ["Team", "API keys", "Audit log", "Operations"])
      expect(await page.getByRole("link", { name, exact: true }).count()).toBe(0);
    for (const path of ["/team", "/credentials", "/audit-log"]) {
      await page.goto(`/ui${path}`);
      await page.getByText("Only Owners and Admins can view this page.").waitFor();
      expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    }
    for (const path of ["/deposits", "/payouts", "/wallets", "/webhooks/deliveries"]) {
      await page.goto(`/ui${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await whoLooksIsKnown(page);
      await page.locator("main table[aria-busy='false'], main .table-empty").first().waitFor();
      const offers = page.getByRole("main").getByRole("button", {
        name: /^(new|create|make|add|approve|cancel|resend|resolve|send)\b/i,
      });
      expect([path, await offers.count()]).toEqual([path, 0]);
    }
    await visit.expectAccessible();
  });
});

/**
 * As if the person had signed in ten minutes ago: sensitive actions ask for a new confirmation. The codes of the app move twenty
 * half minutes forward, so that the test need not wait for the next one.
 */
async function letMinutesPass({ testSite }: BrowserSite, login: string): Promise<void> {
  const member = "(select member_id from person_login where login = $1)";
  await testSite().sql(
    `update token_family set confirmed_at = confirmed_at - interval '10 minutes' where member_id = ${member}`,
    [login],
  );
  await testSite().sql(`update totp set last_step = last_step - 20 where member_id = ${member}`, [
    login,
  ]);
}

/** Adding members needs a sign-in of the last five minutes. */
let ownerAccess: { readonly token: string; readonly until: Instant } | null = null;

/** Sets the account's limit per day in ETH on the page "Payout protection". */
async function setDailyLimit(page: Page, amount: string, note: string | null): Promise<void> {
  await page.getByRole("button", { name: "Set limit" }).click();
  await choose(page, "Currency", "ETH");
  await choose(page, "Period", "Per day");
  await fillLimit(page, amount, note);
}

async function fillLimit(page: Page, amount: string, note: string | null): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Approval required above (ETH)").fill(amount);
  if (note !== null) await dialog.getByLabel("Note").fill(note);
  await dialog.getByRole("button", { name: /^(Set|Change) limit$/ }).click();
  await dialog.waitFor({ state: "detached" });
}

/** Opens a choice of a dialog and takes the first entry that begins with the text. */
async function choose(page: Page, label: string, entry: string): Promise<void> {
  await page.getByRole("dialog").getByRole("combobox", { name: label }).click();
  await page
    .getByRole("option", { name: new RegExp(`^${entry}`) })
    .first()
    .click();
}

/** Adds a person as the Owner; resolves with the initial password. */
async function addPerson(
  { origin, deployment, untilSignInAllowed }: BrowserSite,
  login: string,
  role: string,
) {
  const ask = async (path: string, headers: Readonly<Record<string, string>>, data: object) => {
    const answer = await fetch(origin() + path, {
      method: "POST",
      headers: { "content-type": "application/vnd.api+json", ...headers },
      body: JSON.stringify({ data }),
    });
    const { data: created } = (await answer.json()) as {
      data: { attributes: Record<string, string> };
    };
    return created.attributes;
  };
  // Sign-ins are limited per minute: one is enough for several members.
  if (ownerAccess === null || systemClock.now() > ownerAccess.until)
    ownerAccess = { token: await signInOwner(), until: addSeconds(systemClock.now(), 240) };
  const { token: access } = ownerAccess;
  async function signInOwner(): Promise<string> {
    const attributes = deployment().owner.dashboard;
    await untilSignInAllowed();
    const opened = await ask("/session/", {}, { type: "session-token", attributes });
    return opened["access"] ?? "";
  }
  const attributes = { name: login.split("@")[0], role, login };
  const member = { type: "member", attributes };
  const { initial_password: first = "" } = await ask(
    "/member/",
    { authorization: `Bearer ${access}` },
    member,
  );
  return first;
}

/** The text beside a name in a dialog that is shown once. */
async function secretOf(dialog: ReturnType<Page["getByRole"]>, label: string): Promise<string> {
  const entry = dialog.locator("dl > div", {
    has: dialog.page().getByText(label, { exact: true }),
  });
  return (await entry.locator(".code-text").getAttribute("title")) ?? "";
}

async function signIn(
  { untilSignInAllowed }: BrowserSite,
  page: Page,
  login: string,
  secret: string,
): Promise<void> {
  await page.getByRole("textbox", { name: "Login" }).fill(login);
  await page.getByRole("textbox", { name: "Password" }).fill(secret);
  await untilSignInAllowed();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
}

async function choosePassword(page: Page, chosen: string): Promise<void> {
  await page.getByRole("textbox", { name: "New password" }).fill(chosen);
  await page.getByRole("textbox", { name: "Confirm password" }).fill(chosen);
  // Shown for a few seconds only, so the wait begins before the click.
  await Promise.all([
    page.getByText("Your other sessions have ended.").waitFor(),
    page.getByRole("button", { name: "Save password" }).click(),
  ]);
  await page.getByText("Set a new password to continue.").waitFor({ state: "detached" });
}

function codeOf(secret: string, steps: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: systemClock.now() / 1000 + steps * 30_000,
  });
}

/** Six digits that are not a code of the app now or within some minutes. */
function wrongCodeOf(secret: string): string {
  const steps = Array.from({ length: 21 }, (_, index) => index - 10);
  const right = new Set(steps.map((step) => codeOf(secret, step)));
  const wrong = ["000000", ...steps.map((step) => String(111_111 + step))];
  return present(
    wrong.find((code) => !right.has(code)),
    "a wrong code",
  );
}

function logIn(
  site: BrowserSite,
  { login, password: secret }: { login: string; password: string },
) {
  return fetch(`${site.origin()}/token/`, {
    method: "POST",
    headers: { "content-type": "application/vnd.api+json" },
    body: JSON.stringify({
      data: { type: "auth-token", attributes: { login, password: secret } },
    }),
  });
}
