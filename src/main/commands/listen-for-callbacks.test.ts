/** How the callback listener reports genuine and forged callbacks, and requests that are not callbacks. */
import { createSecretKey } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTerminal } from "../../../test/support/command-line.ts";
import { callbackKeyOf } from "../../accounts/credentials/callback-key.ts";
import { webhookSecretBytes } from "../../callbacks/deliver/callback-signature.ts";
import { composeDelivery, type Delivery } from "../../callbacks/deliver/compose-delivery.ts";
import type { ClaimedCallback } from "../../callbacks/deliver/dispatch.store.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { writeSandboxFile } from "../../sandbox/sandbox-file.ts";
import { type CallbackListener, listenForCallbacks } from "./listen-for-callbacks.ts";

const owner = { login: "owner-login", password: "owner-password" };
const approver = { login: "approver-login", password: "approver-password" };
const webhookSecret = `whsec_${Buffer.alloc(24, 9).toString("base64")}`;

const terminal = openTerminal();
let home = "";
let listener: CallbackListener;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sluice-listen-"));
  await writeSandboxFile(home, {
    base_url: "http://127.0.0.1:1",
    ...owner,
    dashboard: { login: "owner-1", password: "" },
    mail_url: "http://127.0.0.1/sandbox/mail/",
    webhook_secret: webhookSecret,
    users: [{ role: "Payouts with approval", ...approver }],
    other_account: { login: "", password: "", wallets: [] },
    wallets: [],
    chains: {},
    metrics_url: "",
  });
  listener = await listenForCallbacks({ home, port: 0, json: false }, terminal);
  expect(terminal.lines()[0]).toContain(`"callback_url": "${listener.url}"`);
});
afterAll(async () => {
  await listener.close();
  await rm(home, { recursive: true, force: true });
});
beforeEach(() => terminal.lines());

const deposit = {
  type: "deposit",
  id: "12",
  attributes: { status: 3, state: "paid", tracking_id: "order 7" },
};
const transfer = {
  type: "transfer",
  id: "5",
  attributes: { status: 2, amount: "0.50000000", confirmations: 6 },
  relationships: { currency: { data: { type: "currency", id: "1000" } } },
};
const currency = { type: "currency", id: "1000", attributes: { alpha: "BTC" } };

/** A delivery as the dispatcher sends it. */
function compose(
  by: { readonly login: string; readonly password: string },
  options: {
    data?: JsonObject;
    included?: readonly JsonObject[];
    secret?: string;
    at?: Instant;
  } = {},
): Delivery {
  const { data = deposit, included = [currency, transfer] } = options;
  const callback = { webhookId: "msg_1", url: listener.url, payload: { data, included } };
  return composeDelivery(
    callback as unknown as ClaimedCallback,
    {
      callbackKey: createSecretKey(callbackKeyOf(by.login, by.password)),
      webhookSecret: createSecretKey(webhookSecretBytes(options.secret ?? webhookSecret)),
    },
    options.at ?? systemClock.now(),
  );
}

async function post({ url, headers, body }: Delivery): Promise<{ status: number; body: string }> {
  const answer = await fetch(url, { method: "POST", headers, body: Buffer.from(body) });
  return { status: answer.status, body: await answer.text() };
}

describe("sluice listen", () => {
  it("prints one line for a genuine callback and answers 200 with an empty body", async () => {
    expect(await post(compose(owner))).toEqual({ status: 200, body: "" });
    expect(terminal.lines()).toEqual([
      "deposit 12 Paid | 0.5 BTC confirmed, 6 confirmations | verified: yes",
    ]);
  });

  it("verifies a callback without a transfer, and one signed by another credential of the account", async () => {
    await post(compose(owner, { included: [currency] }));
    await post(compose(approver));
    expect(terminal.lines()).toEqual([
      "deposit 12 Paid | verified: yes",
      "deposit 12 Paid | 0.5 BTC confirmed, 6 confirmations | verified: yes",
    ]);
  });

  const forged: readonly (readonly [string, () => Delivery, string])[] = [
    [
      "signed by a stranger's credential",
      () => compose({ login: "who", password: "knows" }),
      "meta.sign does not match",
    ],
    [
      "signed with another webhook secret",
      () => compose(owner, { secret: "whsec_AAAA" }),
      "webhook-signature does not match",
    ],
    [
      "altered where only one of the signatures covers it",
      () => {
        const delivery = compose(owner);
        const text = Buffer.from(delivery.body).toString().replace('"id":"12"', '"id":"13"');
        return { ...delivery, body: Buffer.from(text) };
      },
      "webhook-signature does not match",
    ],
    [
      "an hour old",
      () => compose(owner, { at: (systemClock.now() - 3_600_000_000) as Instant }),
      "too far from now",
    ],
  ];

  it.each(forged)("reports a callback %s as not verified", async (_name, make, reason) => {
    expect((await post(make())).status).toBe(200);
    const [line] = terminal.lines();
    expect(line).toContain("verified: no, ");
    expect(line).toContain(reason);
  });

  it("reports a request that is not a callback, and replaces control characters", async () => {
    const headers = compose(owner).headers;
    const raw = (body: string) => post({ url: listener.url, headers, body: Buffer.from(body) });
    await raw("not json");
    await raw('{"data":{"type":"deposit","attributes":null},"included":[]}');
    await raw(
      JSON.stringify({
        data: { type: "deposit\u001b[2J", id: "1\n2", attributes: { status: 2 } },
        included: [],
      }),
    );
    const lines = terminal.lines();
    expect(lines.map((line) => line.split(" | ")[0])).toEqual([
      "not a callback",
      "not a callback",
      "deposit?[2J 1?2 2",
    ]);
    expect(lines.every((line) => line.includes("verified: no"))).toBe(true);
  });

  it("refuses other methods and oversized bodies", async () => {
    expect((await fetch(listener.url)).status).toBe(405);
    const huge = fetch(listener.url, { method: "POST", body: "x".repeat(2 * 1024 * 1024) });
    const status = await huge.then(
      (answer) => answer.status,
      () => "cut off",
    );
    expect([413, "cut off"]).toContain(status);
    expect(terminal.lines()).toEqual([]);
  });

  it("prints the whole body with --json, and reports a port that is in use", async () => {
    const other = await listenForCallbacks({ home, port: 0, json: true }, terminal);
    terminal.lines();
    const delivery = compose(owner);
    await post({ ...delivery, url: other.url });
    const [line, body] = terminal.lines();
    expect(line).toContain("verified: yes");
    expect(JSON.parse(body!)).toEqual(JSON.parse(Buffer.from(delivery.body).toString()));
    const port = Number(new URL(other.url).port);
    await expect(listenForCallbacks({ home, port, json: false }, terminal)).rejects.toThrow(
      "EADDRINUSE",
    );
    await other.close();
  });
});
