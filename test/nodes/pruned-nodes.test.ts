import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { useDatabase } from "../support/database.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  type DepositWorld,
  depositWorld,
  readBalance,
  type Wallet,
} from "../support/deposit-world.ts";
import { eth, type PrivateEvm, startPrivateEvm } from "../support/private-evm.ts";
import { type RpcGateway, startGateway } from "../support/rpc-gateway.ts";
import { type WatchedEvm, watchEvm } from "../support/watched-evm.ts";

/*
 * Two full nodes that trace only their newest blocks, as most do after 128 blocks: gateways in front of Anvil refuse the others. A
 * contract pays a deposit, and the payment becomes payable three blocks deep, below the blocks that are traced.
 */

const database = useDatabase();
const units = 10n ** 13n;
/** The blocks below its tip that a node still traces. */
const traced = 1;

let evm: PrivateEvm;
let payer: string;
let gateways: readonly RpcGateway[] = [];
let world: DepositWorld;
let watched: WatchedEvm;
let wallet: Wallet;
let tip = 0;

beforeAll(async () => {
  evm = await startPrivateEvm();
  payer = await evm.deploy("PayingWallet");
});
afterAll(() => evm.stop());
beforeEach(async () => {
  gateways = await Promise.all([startGateway(evm.anvil.url), startGateway(evm.anvil.url)]);
  for (const gateway of gateways) gateway.intercept = refuseOldTraces;
  world = depositWorld(database, { needsOpinion: () => true });
  watched = watchEvm(world, evm, gateways);
  wallet = await arrangeWallet(world, { currency: eth });
});
afterEach(async () => {
  await watched.client.close();
  await Promise.all(gateways.map((gateway) => gateway.close()));
});

const refuseOldTraces: RpcGateway["intercept"] = (method, [block]) => {
  if (!method.startsWith("trace_") && !method.startsWith("debug_")) return null;
  const isOld = method !== "trace_block" || Number(block) < tip - traced;
  return isOld ? { error: { code: -32000, message: "historical state is not available" } } : null;
};

async function mine(blocks: number): Promise<void> {
  await evm.mine(blocks);
  ({ height: tip } = await watched.client.adapter.reader.tip(new AbortController().signal));
  await watched.follow();
}

/** A contract pays a new deposit, in a block that has been read. */
async function payByContract(): Promise<void> {
  const deposit = await arrangeDeposit(world, wallet);
  const address = await watched.address(deposit);
  await evm.send({ to: payer, value: units, call: ["PayingWallet", "payAll", [address], [units]] });
  await mine(1);
  expect(await readBalance(world, wallet)).toMatchObject({ available: 0n, pending: units });
}

describe("a payment by a contract, on nodes that forget states", () => {
  it("becomes payable: the other node showed it while it had the state", async () => {
    await payByContract();
    await watched.remember();
    await mine(4);
    await watched.askOthers();
    expect(await readBalance(world, wallet)).toMatchObject({ available: units, pending: 0n });
    expect(await database.sql("select node from node_doubt")).toEqual([]);
  });

  it("is shown later by a node that did not answer at first", async () => {
    const other = present(gateways[1], "the other node");
    await payByContract();
    other.isCutOff = true;
    await watched.remember();
    other.isCutOff = false;
    await watched.remember();
    expect(await database.sql("select node from shown_transfer where height = $1", [tip])).toEqual(
      [],
    );
    world.clock.advance(60);
    await watched.remember();
    await mine(4);
    await watched.askOthers();
    expect(await readBalance(world, wallet)).toMatchObject({ available: units, pending: 0n });
  });

  it("stays pending if the other node was never asked in time", async () => {
    await payByContract();
    await mine(4);
    await watched.remember();
    await watched.askOthers();
    expect(await readBalance(world, wallet)).toMatchObject({ available: 0n, pending: units });
  });
});
