import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { fundedWallet, newEvmAddress, openCashier } from "../scenarios/support/cashier.ts";
import {
  type RestorableDeployment,
  startRestorableDeployment,
} from "../scenarios/support/restorable-deployment.ts";
import { withShop } from "../scenarios/support/shop.ts";
import { currencyOf } from "../scenarios/support/test-site.ts";
import { eventually } from "../support/eventually.ts";
import { startTraceCollector, type TraceCollector } from "../support/trace-collector.ts";
import { withTestSite } from "../support/with-test-site.ts";

/* A payout through api, worker, signer, node and receiver, each a process of its own, as an OpenTelemetry collector sees it. */

let collector: TraceCollector | null = null;
let opened: RestorableDeployment | null = null;
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-tracing-"));
  await writeFile(join(folder, "key"), "a-collector-key\n");
  collector = await startTraceCollector();
  opened = await startRestorableDeployment({}, undefined, {
    tracing: { endpoint: collector.url, header_files: { "x-collector-key": join(folder, "key") } },
  });
}, 900_000);
afterAll(async () => {
  await opened?.stop();
  await collector?.close();
  await rm(folder, { recursive: true, force: true });
});

describe("a deployment with a collector", () => {
  it("shows a payout as one trace, from the request to the callback", async () => {
    const deployment = present(opened, "the deployment");
    const { spans, headers, texts } = present(collector, "the collector");
    const received = await withTestSite(deployment, (site) =>
      withShop(site, (shop) =>
        site.onChain("ETH", async (chain) => {
          const cashier = openCashier(site, shop, site.cashier);
          const wallet = await fundedWallet(shop, chain, "ETH", "2");
          const order = { wallet, alpha: "ETH", amount: "0.1", address: newEvmAddress() };
          const payout = await cashier.pay(order);
          await cashier.expectSent(payout);
          await chain.mine(currencyOf("ETH").confirmationBlocks + 1);
          await cashier.expectTransfer(payout, { status: 2 });
          return eventually(
            () =>
              Promise.resolve(
                shop.receiver.received.filter(
                  ({ document }) =>
                    document.data.type === "payout" && document.data.id === payout.id,
                ),
              ),
            (some) => some.length > 0,
          );
        }),
      ),
    );
    const names = ["sign transaction", "signer sign", "broadcast transaction", "call node"];
    const request = await eventually(
      () => Promise.resolve(spans.find(({ name }) => name === "POST /payout/")),
      (span) => span !== undefined,
    );
    const { traceId, service, attributes } = present(request, "the request's span");
    const ofTrace = await eventually(
      () => Promise.resolve(spans.filter((span) => span.traceId === traceId)),
      (some) =>
        [...names, "deliver callback"].every((name) => some.some((span) => span.name === name)),
    );
    expect(service).toBe("sluice-api");
    expect(attributes).toMatchObject({
      "http.route": "/payout/",
      "http.response.status_code": 201,
    });
    const services = new Map(ofTrace.map((span) => [span.name, span.service]));
    expect(services.get("sign transaction")).toBe("sluice-worker");
    expect(services.get("signer sign")).toBe("sluice-signer");
    const one = (name: string) =>
      present(
        ofTrace.find((span) => span.name === name),
        name,
      );
    expect(one("signer sign").parentSpanId).toBe(one("sign transaction").spanId);
    expect(one("signer sign").startedAt).toBeGreaterThanOrEqual(one("sign transaction").startedAt);
    expect(one("signer sign").endedAt).toBeLessThanOrEqual(one("sign transaction").endedAt);
    const callNode = ofTrace.filter((span) => span.name === "call node");
    expect(callNode.map(({ parentSpanId }) => parentSpanId)).toContain(
      one("broadcast transaction").spanId,
    );
    // The receiver may continue the trace.
    for (const callback of received)
      expect(String(callback.headers["traceparent"])).toContain(traceId);
    expect(headers[0]).toMatchObject({ path: "/v1/traces", "x-collector-key": "a-collector-key" });
    const { owner } = deployment;
    for (const text of texts)
      for (const secret of [owner.password, owner.webhookSecret, "correct horse battery staple"])
        expect(text).not.toContain(secret);
  }, 900_000);

  it("links a client's trace and does not continue it", async () => {
    const { apis, owner } = present(opened, "the deployment");
    const { spans } = present(collector, "the collector");
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    await fetch(`${present(apis[0], "an api")}/token/`, {
      method: "POST",
      headers: {
        "content-type": "application/vnd.api+json",
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      },
      body: JSON.stringify({
        data: { type: "auth-token", attributes: { login: owner.login, password: owner.password } },
      }),
    });
    const linked = await eventually(
      () => Promise.resolve(spans.filter(({ links }) => links.includes(traceId))),
      (some) => some.length > 0,
    );
    expect(linked.map(({ name }) => name)).toEqual(["POST /token/"]);
    expect(spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });
});
