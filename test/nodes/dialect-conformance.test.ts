/** Runs the conformance suite on chains whose nodes cannot be installed, with bitcoind behind their interface. */

import { dogecoind } from "../../src/sandbox/dialects/dogecoind.ts";
import { payFromFaucet, replacePayment } from "../../src/sandbox/drive-utxo-node.ts";
import { describeConformance } from "../support/describe-conformance.ts";
import { type PrivateDialect, startPrivateDialect } from "../support/dialect-node.ts";
import { utxoChain } from "../support/known-chains.ts";
import { payTwice } from "../support/pay-twice.ts";
import { describeWithDaemon, openAdapter, type TestAdapter } from "../support/utxo-node.ts";
import { burntFee, createUtxoPayer } from "../support/utxo-payer.ts";

const coin = { chain: utxoChain("DOGE"), daemon: "bitcoind" as const };

describeWithDaemon(coin, `${coin.chain.chain} in Dogecoin Core's dialect`, (program) => {
  let running: PrivateDialect | null = null;
  const open: TestAdapter[] = [];
  describeConformance(coin.chain.chain, {
    declares: {
      finality: "probable",
      pending: "pool",
      claims: "outpoints",
      validity: "none",
      deposits: "derived",
      includesFailed: false,
      paysSeveral: true,
      neverReplaces: true,
      knowsNoBalances: true,
      pays: true,
    },
    start: async () => {
      // Others' double spends need a node that lets the later one win.
      const test = await startPrivateDialect(coin.chain, dogecoind, program, [
        "-mempoolreplacement=fee,-optin",
      ]);
      running = test;
      const ours = openAdapter(coin, [test.rpcUrl]);
      const foreign = openAdapter(coin, [test.rpcUrl], "test");
      open.push(ours, foreign);
      const payer = createUtxoPayer(coin, test, ours.adapter);
      return {
        adapter: ours.adapter,
        currency: coin.chain.currency,
        units: 2_000_000n,
        unpayable: [
          "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
          "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
          "DD4KSSuBJqcjuTcvUg1CgUKeurPUFeEZkE",
          "nhRsrUaxZou6sewjqaS37cJrMRJRgwVXdk",
          "0x000000000000000000000000000000000000dEaD",
        ],
        fund: ({ address }, units) => payFromFaucet(test.node, [{ address, units }]),
        mine: (blocks) => test.control("/mine", { blocks }),
        reorg: async (depth) => {
          await test.control("/reorg", { depth });
          await test.control("/mine", { blocks: depth + 1, empty: true });
        },
        fundTwice: ({ address }, first, second) => payTwice(test.behind, address, first, second),
        fundFailing: null,
        replace: (txid) => replacePayment(test.behind, txid, 1_500_000n),
        cutOff: test.pause,
        misconfigured: foreign.adapter.reader,
        payer: {
          funds: async () => {
            const wanted = [20_000_000n, 40_000_000n];
            return payer.funds(
              await payer.coins(wanted.map((units) => ({ addressType: "" as const, units }))),
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
