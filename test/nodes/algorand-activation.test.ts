import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAlgorandAdapter } from "../../src/chains/algorand/adapter.ts";
import { createAlgodNode } from "../../src/chains/algorand/algod-node.ts";
import { createHttpNodes } from "../../src/chains/rpc/http-nodes.ts";
import { announceActivation } from "../../src/deposits/activation/announce-activation.ts";
import { readPages } from "../../src/deposits/checkout/page.store.ts";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { listTimeline } from "../../src/reports/timeline/read-timeline.ts";
import { timelineKinds } from "../../src/reports/timeline/timeline-entry.ts";
import { createAlgorandDraftSigner } from "../../src/signer/algorand/draft-signer.ts";
import { ownPaths } from "../../src/signer/algorand/own-accounts.ts";
import type { SpendIntent } from "../../src/signer/intent.ts";
import {
  type ActivationContext,
  activateAddresses,
} from "../../src/treasury/activation/activate-addresses.ts";
import { seedKeys } from "../support/algorand-drafts.ts";
import { useDatabase } from "../support/database.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  type DepositWorld,
  depositWorld,
} from "../support/deposit-world.ts";
import { type HttpAnswer, startNodeGateway } from "../support/node-gateway.ts";
import { type PrivateAlgorand, startPrivateAlgorand } from "../support/private-algorand.ts";

/*
 * Deposit addresses become payable on the simulated Algorand network: each step is stored once, whatever runs at the same time, and what is
 * lost in between is made up for. The database and the network are real parts; the test signs and includes what the pipeline would.
 */

const coin = "1141" as CurrencyId;
const keyspace = {
  name: "ALGO",
  chain: "ALGO",
  addressTypes: [],
  defaultAddressType: "",
  needsActivation: true,
} as const;
const keys = seedKeys(Buffer.alloc(64, 9));
const paths = ownPaths("main");
const keyAt = (path: string): Uint8Array => keys.ed25519At(path).publicKey;
const { signal } = new AbortController();

const database = useDatabase();
let network: PrivateAlgorand;
let world: DepositWorld;
let context: ActivationContext;
let genesisHash = "";
const closers: (() => Promise<void>)[] = [];
let nextIndex = 0;

beforeAll(async () => {
  network = await startPrivateAlgorand();
  genesisHash = Buffer.from((await network.params()).genesisHash ?? "").toString("base64");
  world = depositWorld(database);
  const { currencies } = world.context;
  context = {
    db: database.db,
    clock: world.clock,
    logger: silentLogger,
    currencies,
    chain: connect([network.algorand.url]),
    isStopped: () => Promise.resolve(false),
    onActive: async (tx, { coin: currency, transfer, ...address }, now) => {
      const { chain, watchKey } = address;
      const deposit = {
        ...address,
        tipHeight: null,
        transfer: transfer === null ? null : { ...transfer, currency, chain, watchKey },
      };
      await announceActivation(tx, world.context, deposit, now);
    },
  };
});
afterAll(async () => {
  for (const close of closers) await close();
  await network.stop();
});
beforeEach(async () => {
  await database.sql("update address set needs_activation = false");
});

/** The chain over these nodes, the preferred one first. */
function connect(urls: readonly string[]): ActivationContext["chain"] {
  const nodes = createHttpNodes({
    nodes: urls.map((url) => ({ url, headers: { "x-algo-api-token": network.algorand.token } })),
    chain: "ALGO",
    timeoutMs: 5_000,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  closers.push(() => nodes.close());
  const adapter = createAlgorandAdapter({
    network: { genesisHash },
    node: createAlgodNode("ALGO", nodes),
    treasuryKeys: { hot: keyAt(paths.hot), gas: keyAt(paths.gas) },
    currencies: world.context.currencies.onChain("ALGO").filter(({ id }) => id === coin),
    clock: systemClock,
  });
  return {
    ...adapter,
    writer: present(adapter.writer, "a writer"),
    activator: present(adapter.activator, "an activator"),
  };
}

/** A node that knows of these accounts, and of the chain's height, what is true now, whatever happens later. */
async function startLaggingNode(accounts: readonly string[]): Promise<string> {
  const gateway = await startNodeGateway(network.algorand.url);
  closers.push(() => gateway.close());
  const known = new Map<string, HttpAnswer>();
  const paths = accounts.map((address) => `/v2/accounts/${address}?exclude=all`);
  for (const path of ["/v2/status", "/v2/transactions/params", ...paths]) {
    const { body, status } = await network.ask(path);
    known.set(path, { status, body: Buffer.from(JSON.stringify(body)) });
  }
  gateway.alter = (path, answer) => known.get(path) ?? answer;
  return gateway.url;
}

/** A new deposit with an inactive address of its own. */
async function newDeposit(): Promise<{ readonly deposit: Deposit; readonly address: string }> {
  const index = nextIndex;
  nextIndex += 1;
  const { addressing } = context.chain;
  if (addressing.source !== "created") throw new Error("the signer creates the addresses");
  const { address } = addressing.addressOf(keyAt(paths.depositAt(index)));
  await database.sql(
    `insert into address (keyspace, watch_key, address, address_type, key_index, derived_at)
     values ('ALGO', $1::text, $1::text, '', $2::bigint, '2026-01-01')`,
    [address, index],
  );
  const wallet = await arrangeWallet(world, { currency: coin });
  const deposit = await arrangeDeposit(world, wallet, {
    keyspace,
    callbackUrl: "https://shop.example/callback",
  });
  return { deposit, address };
}

const shown = async ({ id }: Deposit) =>
  (
    await database.sql<{ address: string | null; is_active: boolean }>(
      "select address, is_active from deposit where id = $1::bigint",
      [id],
    )
  )[0];
const topUps = () =>
  database.sql<{ id: string; state: string; body: JsonObject; purpose: JsonObject }>(
    `select s.id, s.state, a.draft -> 'body' as body, s.purpose from spend s join spend_attempt a on a.spend_id = s.id
     where s.kind = 'top_up' order by s.id`,
  );
const events = ({ id }: Deposit) =>
  database.sql<{ trigger: string; payload: { included: { type: string }[] } }>(
    "select trigger, payload from event where object_type = 'deposit' and object_id = $1::bigint",
    [id],
  );
const run = () => activateAddresses(context, signal);

/** Signs the newest top-up, sends it, and records the block that contains it, as the pipeline does. */
async function include(): Promise<string> {
  const newest = present((await topUps()).at(-1), "a top-up");
  const signer = createAlgorandDraftSigner({
    chain: "ALGO",
    network: "main",
    genesisHash,
    assets: [],
    coldAddress: null,
  });
  const intent = {
    ...newest.purpose,
    kind: "top_up",
    spendId: newest.id,
    chain: "ALGO",
    feeCeiling: "1000",
  } as unknown as SpendIntent;
  signer.inspect(newest.body, intent, keys);
  const { raw, txid } = signer.sign(newest.body, keys);
  await network.client.sendRawTransaction(raw).do();
  await network.mine();
  const { height, hash } = await context.chain.writer
    .status(txid, { body: newest.body, claims: [], feeUnits: 1_000n, validity: null }, signal)
    .then((status) => {
      if (status.kind !== "mined") throw new Error(`the top-up is ${status.kind}`);
      return status.block;
    });
  await database.sql(
    `with mined as (update spend_attempt set state = 'mined', txid = $2::text, raw = '\\x00' where spend_id = $1::bigint)
     update spend set state = 'included', mined_attempt = 1, block_height = $3::bigint, block_hash = $4::text
     where id = $1::bigint`,
    [newest.id, txid, height, hash],
  );
  return txid;
}

describe("the address of a deposit", () => {
  it("waits while the gas account has no coin", async () => {
    const { deposit } = await newDeposit();
    expect(await run()).toBe(0);
    expect(await topUps()).toEqual([]);
    expect(await shown(deposit)).toEqual({ address: null, is_active: false });
    await network.pay(context.chain.addressing.treasury?.gas?.address ?? "", 10_000_000n);
    await run();
    expect(await topUps()).toHaveLength(1);
  });

  it("is activated once, however many workers run, and its deposit says so once", async () => {
    const before = (await topUps()).length;
    const { address, deposit } = await newDeposit();
    expect(await Promise.all([run(), run(), run()])).toEqual([0, 0, 0]);
    expect(await topUps()).toHaveLength(before + 1);
    const txid = await include();
    const counts = await Promise.all([run(), run(), run()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await shown(deposit)).toEqual({ address, is_active: true });
    expect(await run()).toBe(0);
    const [event, ...others] = await events(deposit);
    expect([event?.trigger, others]).toEqual(["address_activated", []]);
    expect(event?.payload.included.map(({ type }) => type)).toEqual(["currency", "transfer"]);
    const transfers = await database.sql(
      `select op_type, status, units::text, txid, disposition from transfer where deposit_id = $1::bigint`,
      [deposit.id],
    );
    expect(transfers).toEqual([
      { op_type: 49, status: 2, units: "100000", txid, disposition: "none" },
    ]);
    // It is our own money: neither the payer nor the merchant sees a payment.
    const { accountId, id, paymentPageId } = deposit;
    const pages = await readPages(database.db, [paymentPageId]);
    expect(pages.get(paymentPageId)?.arrivals).toEqual([]);
    const { items } = await listTimeline(
      database.db,
      "deposit",
      { accountId, id },
      {
        filters: new Map(),
        sort: [{ field: "id", descending: false }],
        page: { kind: "numbered", number: 1, size: 10 },
      },
    );
    const kinds = items.map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["address_activated", "callback", "created"]);
    const known = timelineKinds.map(({ value }) => value);
    expect(known).toEqual(expect.arrayContaining(kinds));
  });

  it("gets another transaction after the first one expired unused", async () => {
    const before = (await topUps()).length;
    const { deposit } = await newDeposit();
    await run();
    const first = present((await topUps()).at(-1), "a top-up");
    await run();
    expect(await topUps()).toHaveLength(before + 1);
    await database.sql("update spend set state = 'dead' where id = $1::bigint", [first.id]);
    await network.mine(1);
    await run();
    expect(await topUps()).toHaveLength(before + 2);
    await include();
    expect(await run()).toBe(1);
    expect(await shown(deposit)).toMatchObject({ is_active: true });
  });

  it("is payable without a transaction of ours if someone else sent it enough", async () => {
    const before = (await topUps()).length;
    const { address, deposit } = await newDeposit();
    await network.pay(address, 100_000n);
    expect(await run()).toBe(1);
    expect(await topUps()).toHaveLength(before);
    expect(await shown(deposit)).toEqual({ address, is_active: true });
    const [event] = await events(deposit);
    expect(event?.payload.included.map(({ type }) => type)).toEqual(["currency"]);
  });

  it("is not paid again because a node does not know the block that paid it", async () => {
    const before = (await topUps()).length;
    const { address, deposit } = await newDeposit();
    const gas = present(context.chain.addressing.treasury?.gas, "a gas account").address;
    const lagging = await startLaggingNode([address, gas]);
    await run();
    await include();
    await database.sql(
      `insert into chain_cursor (chain, network, height, hash, block_time, updated_at)
       select 'ALGO', 'test', block_height, block_hash, '2026-01-01', '2026-01-01' from spend where id = $1::bigint`,
      [present((await topUps()).at(-1), "a top-up").id],
    );
    const chain = connect([lagging, network.algorand.url]);
    expect(await activateAddresses({ ...context, chain }, signal)).toBe(1);
    expect(await topUps()).toHaveLength(before + 1);
    expect(await shown(deposit)).toMatchObject({ is_active: true });
  });

  it("stays as it is while the chain's payouts are paused", async () => {
    const before = (await topUps()).length;
    const { deposit } = await newDeposit();
    const paused = { ...context, isStopped: () => Promise.resolve(true) };
    expect(await activateAddresses(paused, signal)).toBe(0);
    expect(await topUps()).toHaveLength(before);
    expect(await shown(deposit)).toEqual({ address: null, is_active: false });
  });
});
