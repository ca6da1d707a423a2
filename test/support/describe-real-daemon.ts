import type { Declaration } from "../../src/chains/conformance/conformance-check.ts";
import { payFromFaucet } from "../../src/sandbox/drive-utxo-node.ts";
import { describeConformance } from "./describe-conformance.ts";
import { payTwice } from "./pay-twice.ts";
import { type RealNode, startRealNode } from "./real-daemon.ts";
import { type Coin, openAdapter, type TestAdapter } from "./utxo-node.ts";
import { burntFee, createUtxoPayer } from "./utxo-payer.ts";

export type RealSubject = {
  /** What the family says about this chain, and not about every relative of Bitcoin. */
  readonly declares: Partial<Declaration>;
  /** Of a payment; all other amounts are multiples of it. */
  readonly units: bigint;
  /** Of a payment that takes the place of another. */
  readonly replacementFee: bigint;
  readonly unpayable: readonly string[];
};

/** Runs the conformance suite on a chain's own daemon. */
export function describeRealDaemon(
  coin: Coin,
  program: string,
  { declares, replacementFee, units, unpayable }: RealSubject,
): void {
  const { chain } = coin;
  let running: RealNode | null = null;
  const open: TestAdapter[] = [];
  describeConformance(`${chain.chain} on ${program}`, {
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
      const test = await startRealNode(chain, program, replacementFee);
      running = test;
      const ours = openAdapter(coin, [test.node.rpcUrl]);
      const elsewhere = openAdapter(coin, [test.node.rpcUrl], "test");
      open.push(ours, elsewhere);
      const payer = createUtxoPayer(coin, test, ours.adapter);
      const addressType = chain.defaultAddressType;
      return {
        adapter: ours.adapter,
        currency: chain.currency,
        units,
        unpayable,
        fund: ({ address }, amount) => payFromFaucet(test.node, [{ address, units: amount }]),
        mine: test.mine,
        reorg: test.reorg,
        fundTwice: ({ address }, first, second) => payTwice(test.node, address, first, second),
        fundFailing: null,
        replace: test.replace,
        cutOff: test.pause,
        misconfigured: elsewhere.adapter.reader,
        payer: {
          funds: async () => {
            const wanted = [10n * units, 20n * units];
            return payer.funds(
              await payer.coins(wanted.map((amount) => ({ addressType, units: amount }))),
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
