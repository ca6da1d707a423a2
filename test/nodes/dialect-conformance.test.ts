/**
 * Runs the conformance suite on chains whose nodes cannot be installed: on the daemon in the folder that `SLUICE_NODES` names, or else on
 * bitcoind behind its interface.
 */

import type { Declaration } from "../../src/chains/conformance/conformance-check.ts";
import { dashd } from "../../src/sandbox/dialects/dashd.ts";
import type { Dialect } from "../../src/sandbox/dialects/dialect.ts";
import { dogecoind } from "../../src/sandbox/dialects/dogecoind.ts";
import { payFromFaucet, replacePayment } from "../../src/sandbox/drive-utxo-node.ts";
import { describeConformance } from "../support/describe-conformance.ts";
import { describeRealDaemon } from "../support/describe-real-daemon.ts";
import { type PrivateDialect, startPrivateDialect } from "../support/dialect-node.ts";
import { utxoChain } from "../support/known-chains.ts";
import { payTwice } from "../support/pay-twice.ts";
import { findRealDaemon, type RealDaemonName } from "../support/real-daemon.ts";
import {
  type Coin,
  describeWithDaemon,
  openAdapter,
  type TestAdapter,
} from "../support/utxo-node.ts";
import { burntFee, createUtxoPayer } from "../support/utxo-payer.ts";

type Subject = {
  readonly alpha: string;
  readonly dialect: Dialect;
  /** What the family says about this chain, and not about every chain in a dialect. */
  readonly declares: Pick<Declaration, "knowsNoBalances" | "locksBlocks">;
  /** The chain's own daemon, and what differs on it. */
  readonly daemon: RealDaemonName;
  readonly declaresReal?: Partial<Declaration>;
  /** Of a payment; all other amounts are multiples of it. */
  readonly units: bigint;
  /** Of a payment that takes the place of another. */
  readonly replacementFee: bigint;
  /** Addresses of the chain's other networks. */
  readonly foreign: readonly string[];
};

const subjects: readonly Subject[] = [
  {
    alpha: "DOGE",
    dialect: dogecoind,
    declares: { knowsNoBalances: true },
    daemon: "dogecoind",
    units: 2_000_000n,
    replacementFee: 1_500_000n,
    foreign: ["DD4KSSuBJqcjuTcvUg1CgUKeurPUFeEZkE", "nhRsrUaxZou6sewjqaS37cJrMRJRgwVXdk"],
  },
  {
    alpha: "DASH",
    dialect: dashd,
    declares: { locksBlocks: "onDemand" },
    daemon: "dashd",
    // It takes masternodes to lock anything.
    declaresReal: { locksBlocks: "never" },
    units: 20_000n,
    replacementFee: 100_000n,
    foreign: ["XgBQcYbKff4q7cEs7AaxoPN2CAiBbFc2JT", "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn"],
  },
];

for (const subject of subjects) {
  const coin = { chain: utxoChain(subject.alpha), daemon: "bitcoind" as const };
  const own = findRealDaemon(subject.daemon);
  if (own === null)
    describeWithDaemon(coin, `${subject.alpha} in its node's dialect`, (program) => {
      describeDialect(coin, subject, program);
    });
  else
    describeRealDaemon(coin, own, {
      ...subject,
      declares: { ...subject.declares, ...subject.declaresReal },
      unpayable: unpayable(subject),
    });
}

function unpayable({ foreign }: Subject): readonly string[] {
  return [
    "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
    "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
    ...foreign,
    "0x000000000000000000000000000000000000dEaD",
  ];
}

function describeDialect(coin: Coin, subject: Subject, program: string): void {
  const { declares, dialect, replacementFee, units } = subject;
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
      pays: true,
      ...declares,
    },
    start: async () => {
      // Others' double spends need a node that lets the later one win.
      const test = await startPrivateDialect(coin.chain, dialect, program, [
        "-mempoolreplacement=fee,-optin",
      ]);
      running = test;
      const ours = openAdapter(coin, [test.rpcUrl]);
      const misconfigured = openAdapter(coin, [test.rpcUrl], "test");
      open.push(ours, misconfigured);
      const payer = createUtxoPayer(coin, test, ours.adapter);
      return {
        adapter: ours.adapter,
        currency: coin.chain.currency,
        units,
        unpayable: unpayable(subject),
        fund: ({ address }, units) => payFromFaucet(test.node, [{ address, units }]),
        mine: (blocks) => test.control("/mine", { blocks }),
        reorg: async (depth) => {
          await test.control("/reorg", { depth });
          await test.control("/mine", { blocks: depth + 1, empty: true });
        },
        fundTwice: async (destination, first, second) => {
          // The node behind may spell the address in another way.
          const { address } = await test.behind.command<{ address: string }>("decodescript", [
            ours.adapter.addressing.watchKey(destination),
          ]);
          return await payTwice(test.behind, address, first, second);
        },
        fundFailing: null,
        replace: (txid) => replacePayment(test.behind, txid, replacementFee),
        ...(declares.locksBlocks === "onDemand" ? { lock: () => test.control("/lock", {}) } : {}),
        cutOff: test.pause,
        misconfigured: misconfigured.adapter.reader,
        payer: {
          funds: async () => {
            const wanted = [10n * units, 20n * units];
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
}
