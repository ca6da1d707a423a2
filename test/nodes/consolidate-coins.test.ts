import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { balanceAtTip } from "../../src/chains/conformance/balance-at-tip.ts";
import type { Coin, Draft } from "../../src/chains/paying-port.ts";
import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import { createRegistry } from "../../src/currencies/registry.ts";
import { consolidationSettings } from "../../src/main/build/consolidation-settings.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { bchn } from "../../src/sandbox/bchn/bchn.ts";
import type { UtxoNode } from "../../src/sandbox/utxo-node.ts";
import { zebra } from "../../src/sandbox/zebra/zebra.ts";
import { consolidateCoins } from "../../src/treasury/sweeping/consolidate-coins.ts";
import type { MoveContext } from "../../src/treasury/sweeping/move-context.ts";
import { useDatabase } from "../support/database.ts";
import { utxoChain } from "../support/known-chains.ts";
import { manualClock } from "../support/manual-clock.ts";
import { type PrivateUtxoLedger, startPrivateLedger } from "../support/private-utxo-ledger.ts";
import { openAdapter, type TestAdapter } from "../support/utxo-node.ts";
import { createUtxoPayer, type UtxoPayer } from "../support/utxo-payer.ts";

/*
 * Many small coins become one on the simulated nodes of Bitcoin Cash and Zcash, with the settings that the worker uses. The job
 * drafts, the signer's own code reads and signs, and the node verifies. Bitcoin's are in `move-own-money.test.ts`.
 */

const database = useDatabase();
const clock = manualClock();
const never = new AbortController().signal;

describe.each([
  { alpha: "BCH", kind: bchn },
  { alpha: "ZEC", kind: zebra({}) },
])("consolidation on $alpha", ({ alpha, kind }) => {
  const chain = utxoChain(alpha);
  const coin = { chain, daemon: "bitcoind" as const };
  let ledger: PrivateUtxoLedger;
  let opened: TestAdapter;
  let payer: UtxoPayer;

  beforeAll(async () => {
    ledger = await startPrivateLedger(kind);
    opened = openAdapter(coin, [ledger.ledger.rpcUrl]);
    const command: UtxoNode["command"] = (method, params = []) => ledger.call(method, ...params);
    const node = { command, faucet: command } as UtxoNode;
    const pause = () => Promise.reject(new Error("not here"));
    payer = createUtxoPayer(coin, { node, pause, stop: ledger.stop }, opened.adapter);
  });
  afterAll(async () => {
    await opened.rpc.close();
    await ledger.stop();
  });

  it("merges the smallest coins into one of ours", async () => {
    const owned = await payer.coins(
      [500_000n, 100_000n, 200_000n, 300_000n, 400_000n].map((units) => ({
        addressType: "" as const,
        units,
      })),
    );
    const changes: string[] = [];
    const context = (coins: readonly Coin[]): MoveContext => ({
      db: database.db,
      clock,
      logger: silentLogger,
      feeCeiling: null,
      demand: () => Promise.resolve([]),
      isStopped: () => Promise.resolve(false),
      currencies: createRegistry(builtInCurrencies),
      chain: { ...opened.adapter, writer: payer.writer },
      coins: {
        spendable: () => Promise.resolve(coins),
        nextChange: () => {
          const { change } = payer.funds([]);
          changes.push(change.address);
          return Promise.resolve(change);
        },
      },
    });
    expect(await consolidateCoins(context(owned), consolidationSettings(alpha, 5), never)).toBe(
      false,
    );
    expect(await consolidateCoins(context(owned), consolidationSettings(alpha, 3), never)).toBe(
      true,
    );
    const [row] = await database.sql<{
      readonly kind: string;
      readonly draft: Pick<Draft, "body" | "claims">;
      readonly fee_units: bigint;
    }>(
      `select s.kind, a.draft, a.fee_units from spend s join spend_attempt a on a.spend_id = s.id
       where s.chain = $1`,
      [alpha],
    );
    const { draft, fee_units, kind: spendKind } = present(row, "a spend");
    expect(spendKind).toBe("consolidation");
    const smallest = owned.filter(({ units }) => units <= 300_000n).map(({ claim }) => claim);
    expect(draft.claims.toSorted()).toEqual(smallest.toSorted());
    const { expiryHeight: last = null } = (draft.body["consensus"] ?? {}) as {
      readonly expiryHeight?: number;
    };
    expect(last !== null).toBe(chain.expiryBlocks !== null);
    const validity = last === null ? null : ({ kind: "height", last } as const);
    await payer.send({ ...draft, feeUnits: fee_units, validity }, []);
    await ledger.mine();
    const [change = ""] = changes;
    expect(await balanceAtTip(opened.adapter.reader, [change], chain.currency, never)).toBe(
      600_000n - fee_units,
    );
  });
});
