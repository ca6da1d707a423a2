import { defaultLaneSettings } from "../../src/callbacks/deliver/host-lanes.ts";
import type { NewEvent } from "../../src/callbacks/events/new-event.ts";
import { recordEvents } from "../../src/callbacks/events/record-events.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { addSeconds, type Instant } from "../../src/platform/kernel/clock.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { BenchSite } from "./bench-site.ts";
import { ask, startHelper } from "./child-process.ts";
import {
  arrangeTenant,
  type Deployment,
  deploy,
  startPart,
  startSigner,
  type Tenant,
} from "./deployment.ts";
import { median, sideBySide } from "./measure.ts";
import { processorFindings, processorTimeOf, type Spent } from "./processor-time.ts";
import type { ReceivedSummary, ReceiverPorts } from "./receiver-process.ts";
import { boundFinding, durationFinding, type Finding, rateFinding } from "./report.ts";

const rounds = 3;
const hosts = { healthy: 18, dead: 2 };
const callbacks = 10_000;
/** From the creation of the events until all of them are due. */
const leadSeconds = 2;
const steady = { perSecond: 100, seconds: 4 };

/**
 * The worker's dispatcher, from the outbox to the merchants' servers and back, while one host in ten accepts connections and
 * never answers; compared with a loop that only signs and posts to the healthy ones.
 */
export async function benchCallbacks(site: BenchSite): Promise<readonly Finding[]> {
  const deployment = await deploy(site, "callbacks", {
    chains: {},
    callbacks: { allows_http: true, allowed_ports: [], allowed_networks: ["127.0.0.0/8"] },
  });
  const tenant = await arrangeTenant(deployment);
  const receiver = startHelper("receiver-process.ts", site.teardown);
  const ports = await ask<ReceiverPorts>(receiver, { kind: "open", ...hosts });
  await startSigner(deployment);
  const worker = await startPart(deployment, "worker");
  const healthyShare = hosts.healthy / (hosts.healthy + hosts.dead);
  const awaitHealthy = (count: number): Promise<ReceivedSummary> =>
    ask(receiver, { kind: "await", count });

  const calm = await flow(deployment, tenant, ports.healthy, () =>
    awaitHealthy(steady.perSecond * steady.seconds),
  );
  const spent: Spent = { product: [], floor: [] };
  const received = async (pid: number, noted: number[], count: number, begin: () => unknown) => {
    let perSecond = 0;
    const used = await processorTimeOf(site, [pid], async () => {
      const summary = awaitHealthy(count);
      await begin();
      ({ perSecond } = await summary);
    });
    noted.push((1e6 * used) / count);
    return perSecond;
  };
  const rates = await sideBySide(
    rounds,
    async () => {
      const poster = startHelper("bare-poster-process.ts", site.teardown);
      const order = {
        ports: ports.healthy,
        body: JSON.stringify(payload("")),
        count: callbacks,
        connectionsPerHost: defaultLaneSettings.perHostMax,
      };
      const rate = await received(poster.pid, spent.floor, callbacks, () => ask(poster, order));
      await poster.stop();
      return rate;
    },
    async () => {
      await clearCallbacks(deployment);
      const dueAt = addSeconds(systemClock.now(), leadSeconds);
      await makeEvents(deployment, tenant, [...ports.healthy, ...ports.dead], callbacks, dueAt);
      return received(worker.pid, spent.product, callbacks * healthyShare, () => undefined);
    },
  );
  const troubled = await flow(deployment, tenant, [...ports.healthy, ...ports.dead], () =>
    awaitHealthy(steady.perSecond * steady.seconds * healthyShare),
  );
  const [name, floorName] = ["callbacks, one host in ten dead", "undici POST with one HMAC"];
  return [
    rateFinding(name, "/s", rates, floorName, 0.65),
    ...processorFindings(
      `${name}: processor time of each, worker and PostgreSQL`,
      { product: median(spent.product), floor: median(spent.floor) },
      floorName,
    ),
    boundFinding(
      `callback delay with all hosts healthy, ${steady.perSecond}/s, p99`,
      calm.p99DelayMs,
      "ms",
      null,
    ),
    durationFinding(
      "callback delay of healthy hosts with one host in ten dead, p99",
      { product: troubled.p99DelayMs, floor: calm.p99DelayMs },
      "all hosts healthy",
      1.5,
    ),
  ];
}

/** Events in small groups, due at once. */
async function flow(
  deployment: Deployment,
  tenant: Tenant,
  ports: readonly number[],
  received: () => Promise<ReceivedSummary>,
): Promise<ReceivedSummary> {
  await clearCallbacks(deployment);
  const summary = received();
  const ticks = 10 * steady.seconds;
  const perTick = (steady.perSecond * steady.seconds) / ticks;
  const turned = [...ports, ...ports];
  for (let tick = 0; tick < ticks; tick += 1) {
    const start = (tick * perTick) % ports.length;
    const some = turned.slice(start, start + perTick);
    await makeEvents(deployment, tenant, some, perTick, systemClock.now());
    await systemClock.sleep(100);
  }
  return summary;
}

let lastObject = 0;

async function makeEvents(
  { foundation }: Deployment,
  { principal }: Tenant,
  ports: readonly number[],
  count: number,
  dueAt: Instant,
): Promise<void> {
  const events = Array.from({ length: count }, (_, index): NewEvent => {
    lastObject += 1;
    return {
      accountId: principal.accountId,
      objectType: "deposit",
      objectId: String(lastObject),
      transferId: null,
      trigger: "status",
      key: `bench ${lastObject}`,
      payload: payload(String(dueAt / 1000)),
      endpoints: null,
      callbackUrl: `http://127.0.0.1:${present(ports[index % ports.length], "a port")}/callback`,
      credentialId: principal.credentialId,
      createdAt: dueAt,
    };
  });
  await recordEvents(foundation.db, events, systemRandom);
}

function clearCallbacks({ site, databaseUrl }: Deployment): Promise<unknown> {
  return site.sql(databaseUrl, "truncate event, callback, callback_attempt, callback_host cascade");
}

/** A deposit and its transfer as on the wire, 2 kB. */
function payload(label: string): {
  readonly data: JsonObject;
  readonly included: readonly JsonObject[];
} {
  const address = "bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk";
  return {
    data: {
      type: "deposit",
      id: "4711",
      attributes: {
        status: 3,
        is_active: true,
        address,
        address_type: "bech32",
        label,
        tracking_id: "shop-7/order-4711/2026-02-03",
        confirmations_needed: 2,
        time_limit: 3600,
        callback_url: "https://shop.example.com/callbacks/crypto?order=4711",
        inaccuracy: "0.50",
        target_amount_requested: "149.90",
        rate_requested: "60000.0000",
        rate_expired_at: "2026-02-03T04:20:06.789012Z",
        invoice_updated_at: "2026-02-03T04:05:06.789012Z",
        payment_page: "https://pay.example.com/pay/0f8f4b9e-6e57-4a5e-9d0c-0a8c3c3f5b1d",
        target_paid: "149.90",
        source_amount_requested: "0.00249834",
        target_paid_pending: "0.00",
        assets: { BTC: "0.00249834" },
        destination: { address_type: "bech32", address },
        payment_page_redirect_url: "https://shop.example.com/orders/4711/thanks",
        payment_page_button_text: "Back to the shop",
        created_at: "2026-02-03T04:05:06.789012Z",
      },
      relationships: {
        currency: { data: { type: "currency", id: "1000" } },
        wallet: { data: { type: "wallet", id: "7" } },
      },
    },
    included: [
      {
        type: "transfer",
        id: "815",
        attributes: {
          op_id: 4711,
          op_type: 1,
          amount: "0.00249834",
          commission: "0.00000000",
          fee: "0.00000000",
          status: 2,
          user_message: null,
          confirmations: 2,
          txid: "6a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b",
          created_at: "2026-02-03T04:07:06.789012Z",
          updated_at: "2026-02-03T04:17:06.789012Z",
          risk: null,
          risk_status: 4,
          amount_cleared: "0.00249834",
        },
        relationships: { currency: { data: { type: "currency", id: "1000" } } },
      },
      {
        type: "currency",
        id: "1000",
        attributes: {
          iso: 1000,
          name: "Bitcoin",
          alpha: "BTC",
          alias: null,
          exp: 8,
          confirmation_blocks: 3,
          minimal_transfer_amount: "0.00001000",
          block_delay: 600,
        },
      },
    ],
  };
}
