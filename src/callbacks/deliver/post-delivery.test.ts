import { afterEach, describe, expect, it } from "vitest";
import {
  answerWith,
  type CallbackReceiver,
  startReceiver,
} from "../../../test/support/callback-receiver.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import {
  type CallbackPolicySettings,
  compileCallbackPolicy,
  publicCallbacks,
  sandboxCallbacks,
} from "../callback-url.ts";
import { defaultPostSettings, deliveryPoster, type PostOutcome } from "./post-delivery.ts";
import type { ResolveHost } from "./resolve-host.ts";

const toClose: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

async function startShop(): Promise<CallbackReceiver> {
  const receiver = await startReceiver();
  toClose.push(receiver.close);
  return receiver;
}

/** Production's rules, except that these receivers need http and their own ports. */
const outside: CallbackPolicySettings = {
  ...publicCallbacks,
  allowsHttp: true,
  allowedPorts: "any",
};

function poster(resolve: ResolveHost, allowed: CallbackPolicySettings) {
  const policy = compileCallbackPolicy(allowed);
  // Long enough for a busy machine: no test here waits for a timeout.
  const patience = { connectTimeoutMs: 100_000, totalTimeoutMs: 100_000 };
  const settings = { ...defaultPostSettings, ...patience };
  const created = deliveryPoster({ clock: systemClock, policy, resolve }, settings);
  toClose.push(created.close);
  return (url: string): Promise<PostOutcome> =>
    created.post({
      url,
      headers: { "content-type": "application/json" },
      body: Buffer.from('{"data":{}}'),
    });
}

const answers = (...addresses: string[]): ResolveHost => {
  return () =>
    Promise.resolve(
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
};

describe("posting a delivery", () => {
  it.each([
    "127.0.0.1",
    "169.254.169.254",
    "10.0.0.5",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::7f00:1",
    "fd00:ec2::254",
  ])("refuses a name that resolves to %s before connecting", async (address) => {
    const shop = await startShop();
    const port = shop.host.split(":")[1] ?? "";
    const outcome = await poster(answers(address), outside)(`http://shop.example:${port}/`);
    expect(outcome).toMatchObject({ error: "address_refused", statusCode: null });
    expect(shop.received).toEqual([]);
  });

  it("refuses private address literals in every spelling", async () => {
    const shop = await startShop();
    const port = shop.host.split(":")[1] ?? "";
    const post = poster(answers("8.8.8.8"), outside);
    for (const host of [
      "127.0.0.1",
      "2130706433",
      "0x7f.1",
      "[::ffff:127.0.0.1]",
      "[::1]",
      "localhost",
    ]) {
      expect((await post(`http://${host}:${port}/`)).error).toBe("address_refused");
    }
    expect(shop.received).toEqual([]);
  });

  it("refuses a name that resolves to a private address on a later connection", async () => {
    const shop = await startShop();
    const port = shop.host.split(":")[1] ?? "";
    const seen: string[] = [];
    const rebinding: ResolveHost = (hostname) => {
      seen.push(hostname);
      // First an allowed address of this machine, then one that is not allowed.
      return answers(seen.length === 1 ? "127.0.0.1" : "127.0.0.2")(hostname);
    };
    const settings = { ...outside, allowedNetworks: ["127.0.0.1/32"] };
    const post = poster(rebinding, settings);
    const url = `http://shop.example:${port}/`;
    shop.answer = answerWith(200, { connection: "close" });
    expect(await post(url)).toMatchObject({ statusCode: 200 });
    expect(await post(url)).toMatchObject({ error: "address_refused" });
    // Each connection resolved once: the address that was checked is the one that was used.
    expect(seen).toEqual(["shop.example", "shop.example"]);
    expect(shop.received).toHaveLength(1);
  });

  it("connects only to those of several addresses that are allowed", async () => {
    const shop = await startShop();
    const port = shop.host.split(":")[1] ?? "";
    const settings = { ...outside, allowedNetworks: ["127.0.0.1/32"] };
    const post = poster(answers("10.0.0.1", "127.0.0.1", "::1"), settings);
    expect(await post(`http://shop.example.:${port}/`)).toMatchObject({ statusCode: 200 });
  });

  it("reports a name without addresses", async () => {
    expect((await poster(answers(), outside)("http://shop.example/")).error).toBe(
      "name_not_resolved",
    );
    const failing: ResolveHost = () => Promise.reject(new Error("SERVFAIL"));
    expect((await poster(failing, outside)("http://shop.example/")).error).toBe(
      "name_not_resolved",
    );
  });

  it("does not resolve the name of a URL that the policy refuses", async () => {
    const shop = await startShop();
    const post = poster(answers("127.0.0.1"), publicCallbacks);
    expect((await post(shop.url)).error).toBe("address_refused");
    expect(shop.received).toEqual([]);
  });

  it("requires TLS for https URLs", async () => {
    const shop = await startShop();
    const outcome = await poster(answers(), sandboxCallbacks)(`https://${shop.host}/`);
    expect(outcome).toMatchObject({ statusCode: null, error: "tls_failed" });
  });

  it("reuses connections", async () => {
    const shop = await startShop();
    const ports = new Set<number | undefined>();
    shop.answer = (response) => {
      ports.add(response.socket?.remotePort);
      response.end();
    };
    const post = poster(answers(), sandboxCallbacks);
    for (let count = 0; count < 10; count += 1) await post(shop.url);
    // Two, because a connection becomes free only shortly after its answer was reported.
    expect(ports.size).toBeLessThanOrEqual(2);
  });
});
