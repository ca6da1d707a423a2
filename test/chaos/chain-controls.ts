import { openFaucet } from "../../src/main/families/sandbox-families.ts";
import { parseDecimal } from "../../src/platform/kernel/decimal.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { mineBlocks, payFromFaucet, reorgBlocks } from "../../src/sandbox/drive-utxo-node.ts";
import type { UtxoNode } from "../../src/sandbox/utxo-node.ts";
import type { ChainControl } from "./chain-actor.ts";
import type { Deployment } from "./deployment.ts";
import { flush } from "./node-parts.ts";

/** Blocks of coins from flush to flush: what a kill can cost. */
const blocksPerFlush = 4;

export type OpenChainControl = ChainControl & { readonly close: () => Promise<void> };

export function evmControl({ evmChain }: Pick<Deployment, "evmChain">): OpenChainControl {
  const faucet = openFaucet("ETH", evmChain, {
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  return {
    payableAtOnce: 1,
    pay: async ([intent]) => [await faucet.pay(intent!.alpha, intent!.address, intent!.amount)],
    // The node signs, so no one else has the bytes.
    payAgain: () => Promise.resolve(false),
    mine: async () => {
      await faucet.mine(1);
    },
    reorg: async (depth, transactions) => {
      await faucet.reorg(depth, transactions);
    },
    close: faucet.close,
  };
}

/** `node`: whichever runs now. */
export function coinControl(node: () => UtxoNode): OpenChainControl {
  let blocks = 0;
  return {
    payableAtOnce: 3,
    pay: async (intents) => {
      const txid = await payFromFaucet(
        node(),
        intents.map(({ address, amount }) => ({ address, units: coinUnits(amount) })),
      );
      return intents.map(() => txid);
    },
    payAgain: async (txid) => {
      try {
        const { hex } = await node().faucet<{ readonly hex: string }>("gettransaction", [txid]);
        await node().command("sendrawtransaction", [hex]);
        return true;
      } catch {
        return false;
      }
    },
    mine: async () => {
      await mineBlocks(node(), 1);
      blocks += 1;
      if (blocks % blocksPerFlush === 0) await flush(node());
    },
    reorg: (depth, transactions) => reorgBlocks(node(), depth, transactions),
    close: () => Promise.resolve(),
  };
}

function coinUnits(amount: string): bigint {
  const parsed = parseDecimal(amount, 8);
  if (parsed.kind !== "units") throw new Error(`no amount of a coin: ${amount}`);
  return parsed.units;
}
