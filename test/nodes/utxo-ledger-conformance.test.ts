import { present } from "../../src/platform/kernel/assert.ts";
import { formatDecimal } from "../../src/platform/kernel/decimal.ts";
import { bchn } from "../../src/sandbox/bchn/bchn.ts";
import { payFromFaucet } from "../../src/sandbox/drive-utxo-node.ts";
import type { UtxoNode } from "../../src/sandbox/utxo-node.ts";
import { zebra } from "../../src/sandbox/zebra/zebra.ts";
import { describeConformance } from "../support/describe-conformance.ts";
import { describeRealDaemon } from "../support/describe-real-daemon.ts";
import { utxoChain } from "../support/known-chains.ts";
import { type PrivateUtxoLedger, startPrivateLedger } from "../support/private-utxo-ledger.ts";
import { findRealDaemon } from "../support/real-daemon.ts";
import { startGateway } from "../support/rpc-gateway.ts";
import { openAdapter } from "../support/utxo-node.ts";
import { burntFee, createUtxoPayer } from "../support/utxo-payer.ts";

/*
 * Runs the conformance suite of the chain port against the simulated nodes of the Bitcoin family; for Bitcoin Cash, on the bitcoind (BCHN)
 * in the folder that `SLUICE_NODES` names, if there is one.
 */

const foreign = [
  "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
  "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
  "0x000000000000000000000000000000000000dEaD",
];
const subjects = [
  {
    alpha: "BCH",
    kind: bchn,
    unpayable: [...foreign, "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"],
  },
  {
    alpha: "ZEC",
    kind: zebra({}),
    unpayable: [
      ...foreign,
      "t1V9mnyk5Z5cTNMCkLbaDwSskgJZucTLdgW",
      "tex10wur2u9clts5dcpu2vc6qg93uzyj7cca2xm732",
      "ztestsapling10yy2ex5dcqkclhc7z7yrnjq2z6feyjad56ptwlfgmy77dmaqqrl9gyhprdx59qgmsnyfska2kez",
    ],
  },
];

for (const { alpha, kind, unpayable } of subjects) {
  const chain = utxoChain(alpha);
  const coin = { chain, daemon: "bitcoind" as const };
  const own = alpha === "BCH" ? findRealDaemon("bitcoind") : null;
  if (own !== null) {
    describeRealDaemon(coin, own, {
      declares: {},
      units: 200_000n,
      replacementFee: 100_000n,
      unpayable,
    });
    continue;
  }
  const closing: (() => Promise<void>)[] = [];
  describeConformance(`${alpha} on a simulated node`, {
    declares: {
      finality: "probable",
      pending: "pool",
      claims: "outpoints",
      neverReplaces: true,
      validity: chain.expiryBlocks === null ? "none" : "height",
      deposits: "derived",
      includesFailed: false,
      paysSeveral: true,
      pays: true,
    },
    start: async () => {
      const ledger = await startPrivateLedger(kind);
      closing.push(ledger.stop);
      const gateway = await startGateway(ledger.ledger.rpcUrl);
      closing.push(gateway.close);
      const ours = openAdapter(coin, [gateway.url]);
      const elsewhere = openAdapter(coin, [gateway.url], "test");
      closing.push(ours.rpc.close, elsewhere.rpc.close);
      const command: UtxoNode["command"] = (method, params = []) => ledger.call(method, ...params);
      const node = { command, faucet: command } as UtxoNode;
      const pause = () => Promise.reject(new Error("the gateway pauses"));
      const payer = createUtxoPayer(coin, { node, pause, stop: ledger.stop }, ours.adapter);
      return {
        adapter: ours.adapter,
        currency: chain.currency,
        units: 200_000n,
        unpayable,
        fund: ({ address }, units) => payFromFaucet(node, [{ address, units }]),
        mine: ledger.mine,
        reorg: async (depth) => {
          await ledger.control("/reorg", { depth });
          await ledger.control("/mine", { blocks: depth + 1, empty: true });
        },
        fundTwice: ({ address }, first, second) => fundTwice(ledger, address, first, second),
        fundFailing: null,
        replace: (txid) => replaceInReorg(ledger, txid),
        cutOff: () => {
          gateway.isCutOff = true;
          return Promise.resolve(() => {
            gateway.isCutOff = false;
            return Promise.resolve();
          });
        },
        misconfigured: elsewhere.adapter.reader,
        payer: {
          funds: async () => {
            const wanted = [1_000_000n, 2_000_000n];
            return payer.funds(
              await payer.coins(wanted.map((units) => ({ addressType: "" as const, units }))),
            );
          },
          sign: payer.sign,
          burnt: (txid) => burntFee(node, txid),
        },
        outlive:
          chain.expiryBlocks === null
            ? null
            : async ({ validity }) => {
                if (validity?.kind !== "height") throw new Error("the draft has no last height");
                const left = validity.last - (await ledger.call<number>("getblockcount"));
                await ledger.control("/mine", { blocks: Math.max(1, left), empty: true });
              },
      };
    },
    stop: async () => {
      for (const close of closing.toReversed()) await close();
    },
  });
}

type Unspent = { readonly txid: string; readonly vout: number; readonly amount: number };
type Outputs = { readonly vout: readonly { readonly value: number }[] };
const feeUnits = 100_000n;

function unitsOf(amount: number): bigint {
  return BigInt(Math.round(amount * 1e8));
}

/** Two outputs to one address; the rest returns to the faucet. */
async function fundTwice(
  { call }: PrivateUtxoLedger,
  address: string,
  first: bigint,
  second: bigint,
): Promise<string> {
  const unspent = await call<readonly Unspent[]>("listunspent", 1);
  const coin = present(
    unspent.find(({ amount }) => unitsOf(amount) > first + second + feeUnits),
    "a coin of the faucet",
  );
  const rest = unitsOf(coin.amount) - first - second - feeUnits;
  const own = await call<string>("getnewaddress");
  const raw = await call<string>(
    "createrawtransaction",
    [{ txid: coin.txid, vout: coin.vout }],
    [
      { [address]: formatDecimal(first, 8) },
      { [address]: formatDecimal(second, 8) },
      { [own]: formatDecimal(rest, 8) },
    ],
  );
  const { hex } = await call<{ readonly hex: string }>("signrawtransactionwithwallet", raw);
  return await call<string>("sendrawtransaction", hex);
}

/** Includes the pending transaction in a block, and replaces the block so that another spend of its coins waits instead. */
async function replaceInReorg(ledger: PrivateUtxoLedger, txid: string): Promise<string> {
  const { call, control } = ledger;
  const { vin } = await call<{
    readonly vin: readonly { readonly txid: string; readonly vout: number }[];
  }>("getrawtransaction", txid, 1);
  let total = 0n;
  for (const spent of vin) {
    const { vout } = await call<Outputs>("getrawtransaction", spent.txid, 1);
    total += unitsOf(present(vout[spent.vout], "a spent output").value);
  }
  const own = await call<string>("getnewaddress");
  const raw = await call<string>(
    "createrawtransaction",
    vin.map((spent) => ({ txid: spent.txid, vout: spent.vout })),
    [{ [own]: formatDecimal(total - feeUnits, 8) }],
  );
  const { hex } = await call<{ readonly hex: string }>("signrawtransactionwithwallet", raw);
  const others = await call<readonly string[]>("getrawmempool");
  await control("/mine", { blocks: 1, only: [txid] });
  await control("/reorg", { depth: 1, transactions: "drop", include: [hex] });
  const waiting = await call<readonly string[]>("getrawmempool");
  return present(
    waiting.find((id) => !others.includes(id)),
    "the other spend",
  );
}
