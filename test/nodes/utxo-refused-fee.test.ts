/**
 * Distinguishes why a real bitcoind keeps rejecting a transaction: its fee or another reason. The node requires 20 units per
 * virtual byte; transactions signed earlier are judged by their own size, also with many outputs.
 */
import { expect, it } from "vitest";
import type { Coin, Funds } from "../../src/chains/paying-port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { instantFromSeconds } from "../../src/platform/kernel/clock.ts";
import { money } from "../../src/platform/kernel/money.ts";
import { isRefusedAtMarketFee } from "../../src/treasury/spends/replace-spend.ts";
import { defaultSpendSettings } from "../../src/treasury/spends/spend-context.ts";
import { manualClock } from "../support/manual-clock.ts";
import { attemptOf, draftOf, spendOf } from "../support/spend-records.ts";
import { coins, describeWithDaemon, openAdapter, startTestNode } from "../support/utxo-node.ts";

const never = new AbortController().signal;
const bitcoin = present(coins[0], "bitcoin");

describeWithDaemon(bitcoin, "BTC refused by bitcoind", (program) => {
  it("blames the fee for a rejection only below the node's minimum rate", async () => {
    const settings = ["-minrelaytxfee=0.00020000"];
    const running = await startTestNode(bitcoin, program, { settings });
    const { adapter, rpc } = openAdapter(bitcoin, [running.node.rpcUrl]);
    try {
      const clock = manualClock();
      const { addressing } = adapter;
      const writer = present(adapter.writer, "a writer");
      const change = present(addressing.changeAt, "change")(1);
      const coin: Coin = {
        claim: `${"ab".repeat(32)}:0`,
        units: 100_000_000n,
        addressType: "bech32",
        branch: 1,
        keyIndex: 1,
      };
      const funds: Funds = {
        kind: "coins",
        coins: [coin],
        change: { address: change.address, addressType: "bech32", keyIndex: 1 },
      };
      const isDespite = (count: number, feeUnits: bigint, coinUnits = coin.units) => {
        const payments = Array.from({ length: count }, (_, at) => ({
          destination: addressing.depositAt(at, "bech32"),
          amount: money(100_000n, bitcoin.chain.currency),
        }));
        const attempt = attemptOf("signed", {
          draft: draftOf([coin.claim], feeUnits),
          refusal: "min relay fee not met",
          createdAt: instantFromSeconds(0),
        });
        const held = { ...funds, coins: [{ ...coin, units: coinUnits }] };
        const request = { payments, funds: held };
        const spend = { ...spendOf([]), attempts: [attempt], request };
        const context = {
          clock,
          writer,
          settings: { ...defaultSpendSettings, stuckAfterSeconds: 10 ** 12 },
        };
        return isRefusedAtMarketFee(context, spend, attempt, never);
      };
      // 141 virtual bytes.
      expect(await isDespite(1, 2_819n)).toBe(false);
      expect(await isDespite(1, 2_820n)).toBe(true);
      // 730 virtual bytes at 5 units each: more than one payment alone would cost, and far too little.
      expect(await isDespite(20, 3_650n)).toBe(false);
      expect(await isDespite(20, 14_599n)).toBe(false);
      expect(await isDespite(20, 14_600n)).toBe(true);
      // Its own coin cannot pay that rate, so a replacement adds others.
      expect(await isDespite(20, 3_650n, 2_003_650n)).toBe(false);
    } finally {
      await rpc.close();
      await running.stop();
    }
  });
});
