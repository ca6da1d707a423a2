/**
 * Moves the deployment's own money on real nodes: many small coins become one, and hot funds above the ceiling go to the cold
 * address. The job drafts; the signer's own code reads and signs.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import type { Coin, Draft } from "../../src/chains/paying-port.ts";
import type { DerivedAddressing } from "../../src/chains/port.ts";
import type { JsonRpc } from "../../src/chains/rpc/json-rpc.ts";
import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import { createRegistry } from "../../src/currencies/registry.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { money } from "../../src/platform/kernel/money.ts";
import { createEvmDraftSigner } from "../../src/signer/evm/draft-signer.ts";
import type { SpendIntent } from "../../src/signer/intent.ts";
import { consolidateCoins } from "../../src/treasury/sweeping/consolidate-coins.ts";
import type {
  ConsolidationSettings,
  MoveContext,
} from "../../src/treasury/sweeping/move-context.ts";
import { moveExcessToCold } from "../../src/treasury/sweeping/move-excess-to-cold.ts";
import { useDatabase } from "../support/database.ts";
import { delegateToolsOn, keyAt } from "../support/delegated.ts";
import { manualClock } from "../support/manual-clock.ts";
import {
  type AdapterUnderTest,
  connectEvm,
  eth,
  type PrivateEvm,
  signal,
  startPrivateEvm,
  usdt,
} from "../support/private-evm.ts";
import { createTestKeys } from "../support/sweeping.ts";
import {
  describeWithDaemon,
  openAdapter,
  startTestNode,
  type TestNode,
  coins as utxoCoins,
} from "../support/utxo-node.ts";
import { createUtxoPayer, type UtxoPayer } from "../support/utxo-payer.ts";

const database = useDatabase();
const clock = manualClock();

const common = {
  db: database.db,
  clock,
  logger: silentLogger,
  feeCeiling: null,
  demand: () => Promise.resolve([]),
  isStopped: () => Promise.resolve(false),
};

type SpendRow = {
  readonly kind: string;
  readonly purpose: Record<string, unknown>;
  readonly left_currency: string | null;
  readonly left_units: bigint | null;
  readonly draft: Pick<Draft, "body" | "claims">;
  readonly fee_units: bigint;
};

const newestSpend = async (): Promise<SpendRow> => {
  const [row] = await database.sql<SpendRow>(
    `select s.kind, s.purpose, s.left_currency, s.left_units, a.draft, a.fee_units
     from spend s join spend_attempt a on a.spend_id = s.id order by s.id desc limit 1`,
  );
  return present(row, "a spend");
};

const utxo = present(utxoCoins[0], "bitcoin");
describeWithDaemon(utxo, "consolidation on bitcoind", (program) => {
  let running: TestNode;
  let adapter: ChainAdapter<DerivedAddressing>;
  let rpc: JsonRpc;
  let payer: UtxoPayer;
  let owned: readonly Coin[] = [];
  let changes = 0;

  beforeAll(async () => {
    running = await startTestNode(utxo, program);
    ({ adapter, rpc } = openAdapter(utxo, [running.node.rpcUrl]));
    payer = createUtxoPayer(utxo, running, adapter);
    owned = await payer.coins(
      [50_000n, 10_000n, 20_000n, 30_000n, 40_000n].map((units) => ({
        addressType: "bech32" as const,
        units,
      })),
    );
  });
  afterAll(async () => {
    await rpc.close();
    await running.stop();
  });

  const context = (): MoveContext => ({
    ...common,
    currencies: createRegistry(builtInCurrencies),
    chain: { ...adapter, writer: payer.writer },
    coins: {
      spendable: () => Promise.resolve(owned),
      nextChange: () => {
        changes += 1;
        const { change } = payer.funds([]);
        return Promise.resolve(change);
      },
    },
  });
  const settings: ConsolidationSettings = { coinsMax: 3, inputsMax: 10, feePerCoin: 1_000n };

  it("leaves few coins and expensive ones alone", async () => {
    expect(await consolidateCoins(context(), { ...settings, coinsMax: 5 }, signal)).toBe(false);
    expect(await consolidateCoins(context(), { ...settings, feePerCoin: 1n }, signal)).toBe(false);
    expect(changes).toBe(0);
  });

  it("combines the smallest coins into one of ours, which the signer signs and the node accepts", async () => {
    expect(await consolidateCoins(context(), settings, signal)).toBe(true);
    const { kind, draft, fee_units } = await newestSpend();
    expect(kind).toBe("consolidation");
    const smallest = owned.filter(({ units }) => units <= 30_000n).map(({ claim }) => claim);
    expect(draft.claims.toSorted()).toEqual(smallest.toSorted());
    await payer.send({ ...draft, feeUnits: fee_units, validity: null }, []);
    expect(await consolidateCoins(context(), settings, signal)).toBe(false);
  });
});

describe("the hot account's ceiling on anvil", () => {
  const cold = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
  let chain: PrivateEvm;
  let connection: AdapterUnderTest;
  const hot = keyAt(1, 0).address;

  beforeAll(async () => {
    chain = await startPrivateEvm();
    connection = connectEvm({ url: chain.anvil.url, currencies: chain.currencies });
    const tools = delegateToolsOn(chain);
    await tools.setBalance(hot, 10n ** 18n);
    await tools.pay("TetherLike", chain.contracts.usdt, hot, 1_000n);
    await chain.mine(40);
  });
  afterAll(async () => {
    await connection.close();
    await chain.stop();
  });

  it("sends the excess to the cold address once, and the signer signs for no other address", async () => {
    const { adapter } = connection;
    const writer = present(adapter.writer, "a writer");
    const context: MoveContext = {
      ...common,
      currencies: createRegistry(chain.currencies),
      chain: { ...adapter, writer },
      coins: null,
    };
    const address = present(adapter.addressing.parse(cold, null), "an address");
    const ceilings = [money(700n, usdt), money(2n * 10n ** 18n, eth)];
    expect(await moveExcessToCold(context, { address, ceilings }, signal)).toBe(1);
    const { kind, purpose, draft, left_currency, left_units } = await newestSpend();
    expect([kind, left_currency, left_units]).toEqual(["cold", usdt, 300n]);
    expect(await moveExcessToCold(context, { address, ceilings }, signal)).toBe(0);

    const intent = {
      ...purpose,
      kind: "cold",
      spendId: "1",
      chain: "ETH",
      feeCeiling: (10n ** 17n).toString(),
    } as unknown as SpendIntent;
    const signerFor = (coldAddress: string) =>
      createEvmDraftSigner({ chain: "ETH", chainId: chain.anvil.chainId, coldAddress });
    const keys = createTestKeys();
    expect(signerFor(cold).inspect(draft.body, intent, keys).claims).toEqual(draft.claims);
    expect(() => signerFor(hot).inspect(draft.body, intent, keys)).toThrow();
    const { raw } = signerFor(cold).sign(draft.body, keys);
    await writer.broadcast(raw, signal);
    await chain.mine();
    expect(await delegateToolsOn(chain).tokenOf(chain.contracts.usdt, cold)).toBe(300n);
  });
});
