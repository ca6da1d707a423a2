import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { administer } from "../../../test/support/database.ts";
import { payment, rateOf } from "../../../test/support/deposit-world.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { openStream, type PageStream, paymentPages } from "../../../test/support/payment-pages.ts";
import { useShopPages } from "../../../test/support/shop-pages.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import { present } from "../../platform/kernel/assert.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { paymentPageEvents } from "./payment-page-events.ts";

/* Tests event streams of payment pages over real connections: every change reaches every open page, even after interruptions. */

const site = useShopPages({ limits: { total: 12, perAddress: 10 } });
const { database, world, pages, invoice } = site;
const streams: PageStream[] = [];

beforeAll(async () => {
  await pages.api.server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => pages.api.server.close());
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await until(() => pages.openStreams() === 0, "all streams to be closed");
});

async function open(deposit: Deposit, lastEventId: string | null = null): Promise<PageStream> {
  const stream = await openStream(pages, deposit.paymentPageId, lastEventId);
  streams.push(stream);
  return stream;
}

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  expect(await eventually(holds, (value) => value), what).toBe(true);
}

const stagesOf = ({ events }: PageStream): readonly string[] =>
  events.map(({ state: { stage, arrivals } }) =>
    [stage, ...arrivals.map(({ confirmations }) => confirmations)].join(" "),
  );
const untilStages = async (stream: PageStream, ...stages: readonly string[]): Promise<void> => {
  await until(() => stagesOf(stream).length >= stages.length, `stages ${stages.join(", ")}`);
  expect(stagesOf(stream)).toEqual(stages);
};

describe("GET /pay/{id}/events", () => {
  it("sends the current state and each change until the payment is paid", async () => {
    const deposit = await invoice();
    const stream = await open(deposit);
    expect(stream).toMatchObject({
      status: 200,
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    });
    await untilStages(stream, "waiting");
    expect(stream.text()).toMatch(/^\w+: [23]\d{3}\n\n/);
    await site.chain.see([payment({ deposit, amount: "0.05", txid: "followed" })]);
    await untilStages(stream, "waiting", "seen 0");
    await site.chain.append([payment({ deposit, amount: "0.05", txid: "followed" })]);
    await untilStages(stream, "waiting", "seen 0", "seen 1");
    await site.chain.grow(1);
    await untilStages(stream, "waiting", "seen 0", "seen 1", "seen 2");
    await site.chain.grow(1);
    await untilStages(stream, "waiting", "seen 0", "seen 1", "seen 2", "paid 3");
    for (const { id, state } of stream.events) expect(id).toBe(state.version);
    expect(stream.events.at(-1)?.state).toEqual(await pages.stateOf(deposit));
  });

  it("sends a payer's choice to every page of the payment and to no other page", async () => {
    const deposit = await invoice({}, null);
    const other = await invoice({}, null);
    const [one, two, apart] = await Promise.all([open(deposit), open(deposit), open(other)]);
    await Promise.all([untilStages(one, "choose"), untilStages(two, "choose")]);
    await pages.post(`/pay/${deposit.paymentPageId}/choose/`, { currency: "1002" });
    await Promise.all([
      untilStages(one, "choose", "waiting"),
      untilStages(two, "choose", "waiting"),
    ]);
    expect(stagesOf(apart)).toEqual(["choose"]);
  });

  it("skips the version in Last-Event-ID and sends the newest state after missed changes", async () => {
    const deposit = await invoice();
    const { version } = await pages.stateOf(deposit);
    const current = await open(deposit, version);
    await site.chain.append([payment({ deposit, amount: "0.02" })]);
    await untilStages(current, "partial 1");
    const late = await open(deposit, version);
    await untilStages(late, "partial 1");
  });

  it("sends the expiry of the rate and of the payment", async () => {
    const deposit = await invoice({ time_limit: 1_000 });
    const stream = await open(deposit);
    await untilStages(stream, "waiting");
    world.clock.advance(900);
    await until(() => stream.events.at(-1)?.state.payment?.rate?.isExpired === true, "the rate");
    world.clock.advance(100);
    await until(() => stream.events.at(-1)?.state.stage === "expired", "the end");
    expect(stream.events).toHaveLength(3);
  });

  it("sends changed page settings, and new prices before the choice of currency", async () => {
    const stream = await open(await invoice({}, null));
    await untilStages(stream, "choose");
    await database.sql("update account set payment_page_shop_name = 'Corner shop' where id = $1", [
      site.shop.accountId,
    ]);
    await until(() => stream.events.at(-1)?.state.shop === "Corner shop", "the name");
    world.rates.set("1002 840", rateOf("1000"));
    await database.sql(
      `insert into rate_quote (symbol, bid, ask, sources, created_at, expired_at)
     values ('ETH', 1, 1, 1, '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z')`,
    );
    await until(
      () =>
        stream.events.at(-1)?.state.choices?.find(({ code }) => code === "ETH")?.amount ===
        "0.100000000000000000",
      "the new price",
    );
  });

  it("survives a database outage and sends the changes afterwards", async () => {
    const deposit = await invoice();
    const stream = await open(deposit);
    await untilStages(stream, "waiting");
    const name = new URL(database.url).pathname.slice(1);
    const root = database.url.replace(name, "sluice");
    await administer(root, `alter database ${name} with allow_connections false`);
    await administer(
      root,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    await until(
      async () => (await pages.get(`/pay/${deposit.paymentPageId}/`)).status === 503,
      "the outage",
    );
    expect(stream.isEnded()).toBe(false);
    await administer(root, `alter database ${name} with allow_connections true`);
    await until(
      () =>
        site.chain.append([payment({ deposit, amount: "0.05" })]).then(
          () => true,
          () => false,
        ),
      "the database",
    );
    await untilStages(stream, "waiting", "seen 1");
  });

  it("returns 503 beyond the stream limit and frees the slot of a closed stream", async () => {
    const deposit = await invoice();
    const held = await Promise.all(Array.from({ length: 10 }, () => open(deposit)));
    expect(held.map(({ status }) => status)).toEqual(new Array(10).fill(200));
    const full = await pages.get(`/pay/${deposit.paymentPageId}/events`);
    expect([full.status, full.headers["retry-after"]]).toEqual([503, "60"]);
    expect(full.headers["content-type"]).toBe("application/vnd.api+json");
    expect(JSON.parse(full.text)).toMatchObject({ errors: [{ status: "503" }] });
    held[0]?.close();
    await until(() => pages.openStreams() === 9, "a free slot");
    expect((await open(deposit)).status).toBe(200);
  });

  it("takes no slot for an unknown page or a HEAD request", async () => {
    for (let time = 0; time < 12; time += 1) {
      await pages.get("/pay/6f1c1c9e-4f0e-4b8e-9a37-2f0f1f6a7a10/events");
      await pages.get("/pay/12/events");
    }
    const deposit = await invoice();
    const url = `/pay/${deposit.paymentPageId}/events`;
    for (let time = 0; time < 12; time += 1) {
      const { statusCode } = await pages.api.server.inject({ method: "HEAD", url });
      expect(statusCode).toBe(200);
    }
    expect((await open(deposit)).status).toBe(200);
  });

  it("ends streams on shutdown, and another process sends the missed changes", async () => {
    const first = paymentPages(world);
    await first.api.server.listen({ host: "127.0.0.1", port: 0 });
    const deposit = await invoice();
    const stream = await openStream(first, deposit.paymentPageId);
    await untilStages(stream, "waiting");
    await first.api.server.close();
    await until(() => stream.isEnded(), "the end of the stream");
    await site.chain.append([payment({ deposit, amount: "0.05" })]);
    const again = await open(deposit, stream.events.at(-1)?.id ?? null);
    await untilStages(again, "seen 1");
  });

  it("ends a stream that is still open when the server shuts down", async () => {
    const deposit = await invoice();
    const events = paymentPageEvents({
      watch: {
        subscribe: () => Promise.resolve(() => undefined),
        stop: () => undefined,
      },
      clock: systemClock,
      random: systemRandom,
      limits: { total: 1, perAddress: 1 },
    });
    const [route] = events.routes;
    const answer = await present(route, "the route").handle({
      requestId: "1",
      logger: silentLogger,
      ip: "127.0.0.1",
      url: "",
      body: new Uint8Array(),
      params: { id: deposit.paymentPageId },
      header: () => null,
    });
    let hasEnded = false;
    if (!("stream" in answer)) throw new Error("no stream");
    answer.stream({
      write: () => undefined,
      end: () => {
        hasEnded = true;
      },
      onClose: () => undefined,
    });
    events.close();
    await until(() => hasEnded, "the end of the stream");
  });
});
