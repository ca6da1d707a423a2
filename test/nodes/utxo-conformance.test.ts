/** Runs the conformance suite of the chain port against real bitcoind and litecoind. */

import {
  mineBlocks,
  payFromFaucet,
  reorgBlocks,
  replacePayment,
} from "../../src/sandbox/drive-utxo-node.ts";
import { describeConformance } from "../support/describe-conformance.ts";
import { litecoin } from "../support/known-chains.ts";
import { payTwice } from "../support/pay-twice.ts";
import {
  coins,
  describeWithDaemon,
  openAdapter,
  startTestNode,
  type TestAdapter,
  type TestNode,
} from "../support/utxo-node.ts";
import { burntFee, createUtxoPayer } from "../support/utxo-payer.ts";

for (const coin of coins) {
  const { chain } = coin;
  describeWithDaemon(coin, `${chain.chain} on ${coin.daemon}`, (program) => {
    let running: TestNode | null = null;
    const open: TestAdapter[] = [];
    describeConformance(chain.chain, {
      // An unsuccessful transaction is never included in a block.
      declares: {
        finality: "probable",
        pending: "pool",
        claims: "outpoints",
        validity: "none",
        deposits: "derived",
        includesFailed: false,
        paysSeveral: true,
        pays: true,
      },
      start: async () => {
        const test = await startTestNode(coin, program);
        running = test;
        const ours = openAdapter(coin, [test.node.rpcUrl]);
        const foreign = openAdapter(coin, [test.node.rpcUrl], "test");
        open.push(ours, foreign);
        const payer = createUtxoPayer(coin, test, ours.adapter);
        return {
          adapter: ours.adapter,
          currency: chain.currency,
          units: 200_000n,
          unpayable: [
            "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
            "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
            "ltcmweb1qq",
            "0x000000000000000000000000000000000000dEaD",
            chain === litecoin
              ? "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
              : "rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kvxh9ph",
          ],
          fund: ({ address }, units) => payFromFaucet(test.node, [{ address, units }]),
          mine: async (blocks) => {
            await mineBlocks(test.node, blocks);
          },
          reorg: (depth) => reorgBlocks(test.node, depth, "wait"),
          fundTwice: ({ address }, first, second) => payTwice(test.node, address, first, second),
          fundFailing: null,
          replace: (txid) => replacePayment(test.node, txid),
          cutOff: test.pause,
          misconfigured: foreign.adapter.reader,
          payer: {
            funds: async () => {
              const wanted = [1_000_000n, 2_000_000n];
              const addressType = "bech32";
              return payer.funds(
                await payer.coins(wanted.map((units) => ({ addressType, units }))),
              );
            },
            sign: (draft, payments) => payer.sign(draft, payments),
            burnt: (txid) => burntFee(test.node, txid),
          },
          outlive: null,
        };
      },
      stop: async () => {
        await Promise.all(open.map(({ rpc }) => rpc.close()));
        await running?.stop();
      },
    });
  });
}
