import {
  createChainSynchronizationClient,
  createInteractionContext,
  createLedgerStateQueryClient,
  createMempoolMonitoringClient,
  createTransactionSubmissionClient,
  getServerHealth,
  type InteractionContext,
  type Schema,
} from "@cardano-ogmios/client";
import csl from "@emurgo/cardano-serialization-lib-nodejs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import {
  bigNum,
  build,
  coinsOf,
  idOf,
  inputOf,
  readAddress,
  valueOf,
} from "../support/build-cardano.ts";
import {
  addressOfKey,
  type PrivateCardano,
  startPrivateCardano,
} from "../support/private-cardano.ts";

/* The simulated Cardano network as the official client of Ogmios and the serialization library of Cardano's wallets see it, both unmodified. */

let chain: PrivateCardano;
let context: InteractionContext;
beforeAll(async () => {
  chain = await startPrivateCardano();
  context = await connect();
});
afterAll(async () => {
  context.socket.close();
  await chain.stop();
});

function connect(): Promise<InteractionContext> {
  const fail = (error: Error): never => {
    throw error;
  };
  return createInteractionContext(fail, () => undefined, {
    connection: { host: "127.0.0.1", port: chain.cardano.port },
  });
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const newKey = (): csl.PrivateKey => csl.PrivateKey.generate_ed25519();

describe("a payment of a wallet", () => {
  it("is built with the network's parameters, submitted, confirmed and read back", async () => {
    const queries = await createLedgerStateQueryClient(context);
    const submission = await createTransactionSubmissionClient(context);
    const receiver = newKey();
    const address = addressOfKey(receiver);
    const parameters = await queries.protocolParameters();
    const { slot } = (await queries.networkTip()) as Schema.Point;
    const builder = builderFor(parameters);
    const [coin] = await coinsOf(chain, chain.faucetAddress);
    builder.add_key_input(
      chain.faucet.to_public().hash(),
      inputOf(present(coin, "a coin")),
      valueOf(present(coin, "a coin")),
    );
    builder.add_output(
      csl.TransactionOutput.new(readAddress(address), valueOf({ lovelace: 2_500_000n })),
    );
    builder.set_ttl_bignum(bigNum(slot + 7_200));
    builder.add_change_if_needed(readAddress(chain.faucetAddress));
    const body = builder.build();
    const transaction = csl.FixedTransaction.new_from_body_bytes(body.to_bytes());
    transaction.sign_and_add_vkey_signature(chain.faucet);
    const txid = await submission.submitTransaction(transaction.to_hex());
    expect(txid).toBe(transaction.transaction_hash().to_hex());

    expect(await queries.utxo({ addresses: [address] })).toEqual([]);
    await chain.mine();
    expect(await queries.utxo({ addresses: [address] })).toEqual([
      { transaction: { id: txid }, index: 0, address, value: { ada: { lovelace: 2_500_000n } } },
    ]);
    const { body: matches } = await chain.kupo(`/matches/${address}?unspent`);
    expect(matches).toMatchObject([
      {
        transaction_id: txid,
        output_index: 0,
        value: { coins: 2_500_000, assets: {} },
        spent_at: null,
      },
    ]);
  });

  it("shows in the pool until a block has it, and then in that block with its bytes", async () => {
    const mempool = await createMempoolMonitoringClient(context);
    const { txid, raw } = await pay(newKey(), 3_000_000n);
    await mempool.acquireMempool();
    expect(await mempool.hasTransaction(txid)).toBe(true);
    expect(await mempool.nextTransaction()).toBe(txid);
    expect(await mempool.nextTransaction()).toBe(null);
    expect(await mempool.sizeOfMempool()).toMatchObject({
      currentSize: { bytes: raw.length },
      transactions: { count: 1 },
    });
    await mempool.releaseMempool();
    const tip = (await chain.result("queryNetwork/tip")) as Schema.Point;
    const next = blocksFrom(tip, 1);
    await chain.mine();
    const [block] = await next;
    const [transaction] = present(block, "a block").transactions ?? [];
    expect(transaction).toMatchObject({
      id: txid,
      spends: "inputs",
      cbor: hexOf(raw),
      signatories: [{ key: chain.faucet.to_public().to_hex() }],
    });
  });
});

describe("the blocks", () => {
  it("chain by their ids from the first one on, which mints a token and funds scripts", async () => {
    await chain.mine(3);
    const tip = (await chain.result("queryNetwork/blockHeight")) as number;
    const blocks = await blocksFrom("origin", tip + 1);
    expect(blocks.map(({ height }) => height)).toEqual(blocks.map((_block, at) => at));
    expect(blocks.map(({ ancestor }) => ancestor)).toEqual([
      "genesis",
      ...blocks.slice(0, -1).map(({ id }) => id),
    ]);
    expect(blocks[0]).toMatchObject({ type: "praos", era: "conway", slot: 0 });
    const [first] = blocks[0]?.transactions ?? [];
    const minted = Object.values(first?.mint ?? {});
    expect(minted).toEqual([{ "544f4b454e": 5_000_000_000_000n }]);
  });

  it("roll back to where a fork begins, for the client and for Kupo", async () => {
    const { txid } = await pay(newKey(), 4_000_000n);
    await chain.mine(5);
    const { body: before } = await chain.kupo(`/matches/*@${txid}`);
    expect(before).toHaveLength(2);
    const seen: string[] = [];
    const own = await connect();
    const client = await createChainSynchronizationClient(own, {
      rollForward: ({ block }, next) => {
        seen.push(`+${(block as Schema.BlockPraos).height}`);
        next();
        return Promise.resolve();
      },
      rollBackward: ({ point }, next) => {
        seen.push(point === "origin" ? point : `-${point.slot}`);
        next();
        return Promise.resolve();
      },
    });
    const height = (await chain.result("queryNetwork/blockHeight")) as number;
    const tip = (await chain.result("queryNetwork/tip")) as Schema.Point;
    await client.resume([tip], 10);
    const { body: points } = await chain.kupo("/checkpoints");
    const forkPoint = present((points as { slot_no: number }[])[5], "the fork's point");
    const answer = await chain.control("/reorg", { depth: 5, transactions: "drop" });
    expect(answer).toMatchObject({ height: height + 1 });
    await expect.poll(() => seen.length).toBe(8);
    expect(seen).toEqual([
      `-${tip.slot}`,
      `-${forkPoint.slot_no}`,
      ...Array.from({ length: 6 }, (_block, at) => `+${height - 4 + at}`),
    ]);
    const { body: after } = await chain.kupo(`/matches/*@${txid}`);
    expect(after).toEqual([]);
    await client.shutdown();
    own.socket.close();
  });

  it("survive a restart", async () => {
    const { txid } = await pay(newKey(), 5_000_000n);
    await chain.mine();
    await chain.control("/reorg", { depth: 1, transactions: "include" });
    const tip = await chain.result("queryNetwork/tip");
    const { body: matches } = await chain.kupo(`/matches/*@${txid}`);
    const { folder } = chain;
    context.socket.close();
    await chain.cardano.stop();
    chain = await startPrivateCardano({ folder });
    context = await connect();
    expect(await chain.result("queryNetwork/tip")).toEqual(tip);
    expect((await chain.kupo(`/matches/*@${txid}`)).body).toEqual(matches);
  });
});

describe("the server", () => {
  it("is healthy, unless the node catches up", async () => {
    const { connection } = context;
    const health = await getServerHealth({ connection });
    expect(health).toMatchObject({ networkSynchronization: 1, currentEra: "conway" });
    await chain.control("/catch-up", { seconds: 60 });
    expect((await getServerHealth({ connection })).networkSynchronization).toBeLessThan(1);
    await chain.control("/catch-up", { seconds: 0 });
  });

  it("says which network it is, and where slots are in time", async () => {
    const queries = await createLedgerStateQueryClient(context);
    expect(await queries.genesisConfiguration("shelley")).toMatchObject({
      networkMagic: chain.cardano.networkMagic,
      network: "testnet",
      securityParameter: 2_160,
    });
    const summaries = await queries.eraSummaries();
    const last = present(summaries.at(-1), "an era");
    expect(last.parameters).toMatchObject({ slotLength: { milliseconds: 1_000 } });
    const { slot } = (await queries.networkTip()) as Schema.Point;
    expect(last.end?.slot ?? 0).toBeGreaterThan(slot + 129_600);
  });
});

/** Pays from the faucet; the transaction waits for a block. */
async function pay(
  receiver: csl.PrivateKey,
  lovelace: bigint,
): Promise<{ readonly txid: string; readonly raw: Uint8Array }> {
  const coins = await coinsOf(chain, chain.faucetAddress);
  const coin = present(
    coins.find(({ tokens }) => Object.keys(tokens ?? {}).length === 0),
    "a coin",
  );
  const raw = build({
    inputs: [coin],
    outputs: [[addressOfKey(receiver), { lovelace }]],
    key: chain.faucet,
  });
  const { error } = await chain.submit(raw);
  expect(error).toBeUndefined();
  return { txid: idOf(raw), raw };
}

/** So many blocks after a point, as a client that follows the chain gets them. */
async function blocksFrom(
  point: Schema.Point | "origin",
  count: number,
): Promise<Schema.BlockPraos[]> {
  const own = await connect();
  const blocks: Schema.BlockPraos[] = [];
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const client = await createChainSynchronizationClient(own, {
    rollForward: ({ block }, next) => {
      blocks.push(block as Schema.BlockPraos);
      if (blocks.length === count) finish();
      else next();
      return Promise.resolve();
    },
    rollBackward: (_response, next) => {
      next();
      return Promise.resolve();
    },
  });
  await client.resume([point], 1);
  await finished;
  await client.shutdown();
  own.socket.close();
  return blocks;
}

function builderFor(parameters: Schema.ProtocolParameters): csl.TransactionBuilder {
  const config = csl.TransactionBuilderConfigBuilder.new()
    .fee_algo(
      csl.LinearFee.new(
        bigNum(parameters.minFeeCoefficient),
        bigNum(parameters.minFeeConstant.ada.lovelace),
      ),
    )
    .coins_per_utxo_byte(bigNum(parameters.minUtxoDepositCoefficient))
    .pool_deposit(bigNum(parameters.stakePoolDeposit.ada.lovelace))
    .key_deposit(bigNum(parameters.stakeCredentialDeposit.ada.lovelace))
    .max_value_size(parameters.maxValueSize?.bytes ?? 0)
    .max_tx_size(parameters.maxTransactionSize?.bytes ?? 0)
    .build();
  return csl.TransactionBuilder.new(config);
}
