/**
 * Notifications in the browser: a member turns them on in the settings, a payment is pushed to a push service on this machine and can be
 * decrypted there, the service worker shows what the browser delivers, and a click opens pages of the dashboard only. Chromium reaches
 * no push service here, so the page's `PushManager` gives a subscription of the test's, and DevTools deliver the messages.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { addressOf, withShop } from "../scenarios/support/shop.ts";
import {
  type BrowserKeys,
  decryptPush,
  newBrowserKeys,
  type PushService,
  startPushService,
} from "../support/push-browser.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openDashboard, whoLooksIsKnown } from "./support/open-dashboard.ts";
import { presentable } from "./support/presentable.ts";
import type { Visit } from "./support/visit.ts";

let service: PushService | null = null;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service?.close());

/** What a message says. */
type Shown = { readonly title: string; readonly body: string; readonly path: string };

type AppManifest = {
  readonly start_url: string;
  readonly scope: string;
  readonly display: string;
  readonly icons: readonly { readonly src: string; readonly sizes: string }[];
};

/** Of what the service worker shows. */
type Notification = { readonly title: string; readonly body: string; readonly tag: string };

describeInBrowser("notifications in the browser", (site) => {
  it("are turned on in the settings, reach the browser encrypted, and end with the sign-out", {
    timeout: 900_000,
  }, async () => {
    const owner = await openDashboard(site, "/profile");
    const { page } = owner;
    const keys = newBrowserKeys();
    const path = "/push/this-browser";
    await givePushService(owner, present(service, "the service").origin + path, keys);
    await page.reload();
    await whoLooksIsKnown(page);
    await page.getByRole("button", { name: "Turn on in this browser" }).click();
    const browsers = page.getByRole("list", { name: "Your browsers with notifications" });
    await browsers.getByText("This browser").waitFor();
    // Nothing was chosen before, so the topics are those of the member's emails.
    const paid = page.getByRole("checkbox", { name: "A deposit is paid: Browser" });
    expect(await paid.isChecked()).toBe(true);
    await page.getByRole("checkbox", { name: "Payouts are stopped or resumed: Browser" }).uncheck();
    await presentable(owner, "dashboard-push");

    const received = (): readonly Shown[] =>
      present(service, "the service")
        .received()
        .filter((message) => message.path === path)
        .map(({ body }) => JSON.parse(decryptPush(body, keys).toString()) as Shown);
    await withShop(site.testSite(), async (shop) => {
      const wallet = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(wallet, { target_amount_requested: "20" }, "ETH");
      await site.testSite().onChain("ETH", async (chain) => {
        const { source_amount_requested: amount } = await shop.read(deposit);
        await chain.pay("ETH", addressOf(deposit), amount as string);
        await chain.mine(13);
      });
      await expect
        .poll(() => received().map(({ title }) => title), { timeout: 900_000 })
        .toContainEqual(expect.stringMatching(/payments? received/i));
    });

    // The page asks once more who is signed in.
    owner.expectErrors(/401/);
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    const left = "select id from push_subscription";
    await expect.poll(() => site.testSite().sql(left, []), { timeout: 90_000 }).toEqual([]);
  });

  it("can be installed on a home screen, which phones require for notifications", async () => {
    const { page } = await openDashboard(site, "/");
    const devtools = await page.context().newCDPSession(page);
    const { url, data = "{}", errors } = await devtools.send("Page.getAppManifest");
    expect([new URL(url).pathname, errors]).toEqual(["/ui/manifest.webmanifest", []]);
    const { start_url, scope, display, icons } = JSON.parse(data) as AppManifest;
    expect([start_url, scope, display]).toEqual(["/ui/", "/ui/", "standalone"]);
    const touchIcon = await page.locator('link[rel="apple-touch-icon"]').getAttribute("href");
    for (const [path, sizes] of [
      ...icons.map((icon) => [icon.src, icon.sizes] as const),
      [present(touchIcon, "the icon of iPhones"), "180x180"] as const,
    ])
      expect([path, await sizeOf(page, path)]).toEqual([path, sizes]);
    const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
    // The test's browser is private, which alone prevents the installation.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(["in-incognito"]);
  });

  it("are shown by the service worker, and a click opens pages of this dashboard only", {
    timeout: 900_000,
  }, async () => {
    const { page } = await openDashboard(site, "/");
    await page.context().grantPermissions(["notifications"], { origin: site.origin() });
    const devtools = await page.context().newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const found = registrations.find(({ isDeleted }) => !isDeleted);
        if (found !== undefined) resolve(found.registrationId);
      });
    });
    await devtools.send("ServiceWorker.enable");
    const worker = page.context().waitForEvent("serviceworker");
    const scope = await page.evaluate(`
      navigator.serviceWorker.register("/ui/push-worker.js", { scope: "/ui/" })
        .then(() => navigator.serviceWorker.ready)
        .then(({ scope }) => scope)`);
    expect(scope).toBe(`${site.origin()}/ui/`);
    const registrationId = await registered;
    const deliver = (data: string) =>
      devtools.send("ServiceWorker.deliverPushMessage", {
        origin: site.origin(),
        registrationId,
        data,
      });
    // The browser takes notifications away again after a while, so the worker keeps what it shows.
    const running = await worker;
    await running.evaluate(`
      const show = self.registration.showNotification.bind(self.registration);
      self.shown = [];
      self.registration.showNotification = async (title, options) => {
        await show(title, options);
        self.shown.push({ title, body: options.body, tag: options.tag });
      };`);
    const shown = () =>
      running.evaluate<readonly Notification[]>(
        "self.shown.toSorted((a, b) => (a.tag < b.tag ? -1 : 1))",
      );
    const message = { title: "Payment received", body: "Deposit 1: 10 USD", path: "deposits/1" };
    await deliver(JSON.stringify({ ...message, tag: "1.1" }));
    await deliver(JSON.stringify({ ...message, tag: "1.1" }));
    await deliver(JSON.stringify({ ...message, tag: "1.2" }));
    const { title, body } = message;
    const each = ["1.1", "1.1", "1.2"].map((tag) => ({ title, body, tag }));
    await expect.poll(shown, { timeout: 90_000 }).toEqual(each);
    await deliver("no JSON");
    await expect
      .poll(shown, { timeout: 90_000 })
      .toEqual([{ title: "Sluice", body: "", tag: "" }, ...each]);

    // Chromium opens a window only for a person's click, so this asks the worker where it would go.
    const opened = (path: string) =>
      running.evaluate(`new Promise((resolve) => {
        self.clients.matchAll = () => Promise.resolve([]);
        self.clients.openWindow = (href) => { resolve(href); return Promise.resolve(null); };
        const event = new Event("notificationclick");
        event.notification = { close: () => undefined, data: { path: ${JSON.stringify(path)} } };
        event.waitUntil = () => undefined;
        self.dispatchEvent(event);
      })`);
    const home = `${site.origin()}/ui/`;
    expect(await opened("deposits/7")).toBe(`${home}deposits/7`);
    for (const path of [
      "https://evil.example/",
      "//evil.example/",
      "/docs",
      "../pay/x",
      "javascript:alert(1)",
    ])
      expect([path, await opened(path)]).toEqual([path, home]);
  });
});

/** The size of an image as the page loads it: `192x192`. */
function sizeOf(page: Page, path: string): Promise<string> {
  return page.evaluate(`(async () => {
    const image = new Image();
    image.src = ${JSON.stringify(path)};
    await image.decode();
    return image.naturalWidth + "x" + image.naturalHeight;
  })()`);
}

/** Gives the page a push service: its subscriptions have these keys. */
async function givePushService(
  { page }: Visit,
  endpoint: string,
  keys: BrowserKeys,
): Promise<void> {
  await page.context().grantPermissions(["notifications"]);
  const given = {
    endpoint,
    keys: {
      p256dh: keys.publicKey.toString("base64url"),
      auth: keys.auth.toString("base64url"),
    },
  };
  await page.addInitScript(`{
    const given = ${JSON.stringify(given)};
    let current = null;
    const subscription = {
      endpoint: given.endpoint,
      options: { applicationServerKey: null },
      toJSON: () => given,
      unsubscribe: async () => { current = null; return true; },
    };
    PushManager.prototype.subscribe = async () => (current = subscription);
    PushManager.prototype.getSubscription = async () => current;
  }`);
}
