import { join } from "node:path";
import { EventSource } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckoutState } from "../../src/deposits/checkout/checkout-state.ts";
import { createDepositSink } from "../../src/deposits/payments/block-sink.ts";
import { createFoundation, depositContext } from "../../src/main/build/foundation.ts";
import { readConfig } from "../../src/main/config/read-config.ts";
import { Teardown } from "../../src/main/processes/teardown.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { SupervisedProcess } from "../../src/platform/processes/supervised-process.ts";
import { writeDeployment } from "../support/command-line.ts";
import { useDatabase } from "../support/database.ts";
import {
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  type DepositWorld,
  eth,
  payment,
  rateOf,
  usd,
} from "../support/deposit-world.ts";
import { eventually } from "../support/eventually.ts";
import { quietPort } from "./support/quiet-port.ts";
import { startSluice } from "./support/run-sluice.ts";

/*
 * An api process that streams to a payment page is killed, another one is stopped, and a third replaces it: the page reconnects,
 * like every EventSource, and receives what it missed.
 */

const database = useDatabase();
const teardown = new Teardown(silentLogger);
let world: DepositWorld;
let url = "";
let startApi: () => Promise<SupervisedProcess>;

beforeAll(async () => {
  const port = await quietPort();
  url = `http://127.0.0.1:${port}`;
  const files = await writeDeployment(database.url, {
    base_url: url,
    listen: { port },
    chains: { ETH: { network: "regtest", nodes: ["http://127.0.0.1:9"], chain_id: 1337 } },
  });
  teardown.add("files", () => files.remove());
  const config = await readConfig(files.configFile);
  const parts = { clock: systemClock, random: systemRandom, logger: silentLogger };
  const foundation = await createFoundation(config, parts, "cli");
  teardown.add("connections", () => foundation.db.close());
  const clock = { ...systemClock, advance: () => undefined };
  const { freezeRates, refunds } = foundation;
  const context = {
    ...depositContext(foundation),
    payoutRevalueAfterSeconds: 900,
    freezeRates,
    refunds,
    db: database.db,
    clock,
  };
  world = { database, clock, context, sink: createDepositSink(context), rates: new Map() };
  startApi = async () => {
    const log = join(files.folder, "api.log");
    const api = startSluice(log, ["api", "--config", files.configFile]);
    teardown.add("api", () => api.end(systemClock, 10_000));
    const answers = () =>
      fetch(`${url}/ping`).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually(answers, (isReady) => isReady, 100);
    return api;
  };
});
afterAll(() => teardown.run());

describe("the payment page", () => {
  it("reconnects to the next api after one was killed and one was stopped, and misses nothing", async () => {
    const chain = await announceChain(world, "ETH");
    const shop = await arrangeWallet(world, { type: 1, currency: usd });
    const options = {
      currency: eth,
      requested: "100",
      rate: rateOf("2000"),
      confirmationsNeeded: 2,
    };
    const deposit = await arrangeDeposit(world, shop, options);
    const first = await startApi();
    const page = new EventSource(`${url}/pay/${deposit.paymentPageId}/events`);
    teardown.add("page", () => {
      page.close();
    });
    const received: string[] = [];
    page.addEventListener("message", ({ data }: { data: unknown }) => {
      const { stage } = JSON.parse(String(data)) as CheckoutState;
      received.push(stage);
    });
    const untilReceived = (...stages: readonly string[]) =>
      eventually(
        () => received.join(" "),
        (text) => text === stages.join(" "),
        100,
      );
    await untilReceived("waiting");

    first.kill();
    await first.ended;
    await chain.append([payment({ deposit, amount: "0.05" })]);
    const second = await startApi();
    await untilReceived("waiting", "seen");

    await second.end(systemClock, 10_000);
    const third = await startApi();
    await eventually(
      () => page.readyState,
      (state) => state === EventSource.OPEN,
      100,
    );
    expect(received).toEqual(["waiting", "seen"]);
    await chain.append();
    await untilReceived("waiting", "seen", "paid");
    await third.end(systemClock, 10_000);
  });
});
