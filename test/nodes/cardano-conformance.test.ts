import type { Draft, Payment } from "../../src/chains/paying-port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { networkMagic } from "../../src/sandbox/cardano/genesis.ts";
import { createCardanoDraftSigner } from "../../src/signer/cardano/draft-signer.ts";
import { type Amount, build, type Coin, coinsOf, idOf } from "../support/build-cardano.ts";
import { ada, openCardanoAdapter, testKeys } from "../support/cardano-site.ts";
import { describeConformance } from "../support/describe-conformance.ts";
import { type PrivateCardano, startPrivateCardano } from "../support/private-cardano.ts";
import { startTcpGate, type TcpGate } from "../support/tcp-gate.ts";

/*
 * Runs the conformance suite of the chain port against the simulated Cardano network. The library of Cardano's wallets builds and signs the
 * external payments.
 */

const { signal } = new AbortController();
const { accountKey, keys } = testKeys(1);
const coinUnits = 100_000_000n;

let network: PrivateCardano;
let gateway: TcpGate;
let closers: (() => Promise<void>)[] = [];

describeConformance("the Cardano adapter", {
  declares: {
    finality: "probable",
    pending: "pool",
    claims: "outpoints",
    validity: "time",
    deposits: "derived",
    includesFailed: false,
    paysSeveral: true,
    neverReplaces: true,
    pays: true,
  },
  start: async () => {
    network = await startPrivateCardano();
    gateway = await startTcpGate(network.cardano.ogmiosUrl);
    const open = (magic?: number) => {
      const { adapter, node } = openCardanoAdapter({
        accountKey,
        urls: [gateway.url],
        ...(magic === undefined ? {} : { magic }),
      });
      closers.push(node.close);
      return adapter;
    };
    const adapter = open();
    const elsewhere = open(networkMagic + 1);
    const used = new Set<string>();
    const sent = new Map<string, Coin>();

    /** A coin of the faucet that no earlier payment spends. */
    const faucetCoin = async (): Promise<Coin> => {
      const coins = await coinsOf(network, network.faucetAddress);
      const free = coins.find(
        ({ index, lovelace, tokens = {}, txid }) =>
          !used.has(`${txid}:${index}`) &&
          Object.keys(tokens).length === 0 &&
          lovelace > 1_000_000_000n,
      );
      const coin = present(free, "a coin of the faucet");
      used.add(`${coin.txid}:${coin.index}`);
      return coin;
    };
    const submit = async (raw: Uint8Array): Promise<string> => {
      const { error } = await network.submit(raw);
      if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
      return idOf(raw);
    };
    const pay = async (outputs: readonly (readonly [string, Amount])[], from?: Coin) => {
      const coin = from ?? (await faucetCoin());
      const txid = await submit(build({ inputs: [coin], outputs, key: network.faucet }));
      sent.set(txid, coin);
      return txid;
    };

    const changeAt = present(adapter.addressing.changeAt, "change addresses");
    let numbered = 0;
    return {
      adapter,
      currency: ada,
      units: 2_000_000n,
      unpayable: [
        "addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8",
        "stake_test1uqehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gssrtvn",
        "addr_test1gz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5pnz75xxcrdw5vky",
        "addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsy",
        "Ae2tdPwUPEZHtBmjZBF4YpMkK9tMSPTE2ADEZTPN97saNkhG78TvXdp3GDk",
        "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
      ],
      fund: ({ address }, lovelace) => pay([[address, { lovelace }]]),
      mine: (blocks) => network.mine(blocks),
      reorg: async (depth) => {
        await network.control("/reorg", { depth });
      },
      fundTwice: ({ address }, first, second) =>
        pay([
          [address, { lovelace: first }],
          [address, { lovelace: second }],
        ]),
      fundFailing: null,
      replace: async (txid) => {
        const coin = present(sent.get(txid), "a payment of the faucet");
        await network.control("/evict");
        return await pay([[network.faucetAddress, { lovelace: 3_000_000n }]], coin);
      },
      cutOff: () => {
        gateway.isCutOff = true;
        return Promise.resolve(() => {
          gateway.isCutOff = false;
          return Promise.resolve();
        });
      },
      misconfigured: elsewhere.reader,
      payer: {
        funds: async () => {
          numbered += 1;
          const deposit = adapter.addressing.depositAt(10_000 + numbered, null);
          const txid = await pay([
            [deposit.address, { lovelace: coinUnits }],
            [deposit.address, { lovelace: coinUnits }],
          ]);
          await network.mine();
          const coin = {
            units: coinUnits,
            addressType: "",
            branch: 0,
            keyIndex: 10_000 + numbered,
          } as const;
          const { address } = changeAt(numbered);
          return {
            kind: "coins",
            coins: [
              { ...coin, claim: `${txid}:0` },
              { ...coin, claim: `${txid}:1` },
            ],
            change: { address, addressType: "", keyIndex: numbered },
          };
        },
        sign,
        burnt,
      },
      outlive: async (draft) => {
        if (draft.validity?.kind !== "time") throw new Error("the draft has no end");
        const { time } = await adapter.reader.tip(signal);
        const slots = Math.ceil((draft.validity.until - time) / 1_000_000);
        await network.control("/mine", { blocks: 1, slots: Math.max(1, slots) });
      },
    };
  },
  stop: async () => {
    for (const close of closers) await close();
    closers = [];
    await gateway.close();
    await network.stop();
  },
});

/** What a transaction's inputs held, less its outputs, by Kupo. */
async function burnt(txid: string): Promise<bigint> {
  const sumOf = async (pattern: string, isWanted: (row: Row) => boolean) => {
    const { body } = await network.kupo(`/matches/${pattern}`);
    return (body as readonly Row[])
      .filter(isWanted)
      .reduce((sum, { value }) => sum + BigInt(value.coins), 0n);
  };
  const taken = await sumOf("*", ({ spent_at }) => spent_at?.transaction_id === txid);
  return taken - (await sumOf(`*@${txid}`, () => true));
}

type Row = {
  readonly value: { readonly coins: number };
  readonly spent_at: { readonly transaction_id: string } | null;
};

/** Signs a draft after the signer has found the payments in it. */
function sign(draft: Draft, payments: readonly Payment[]) {
  const signer = createCardanoDraftSigner({
    chain: "ADA",
    network: { keys: "test", magic: networkMagic, slotZero: null, unitsMax: "45000000000000000" },
    coldAddress: null,
    clock: systemClock,
  });
  signer.inspect(
    draft.body,
    {
      spendId: "1",
      chain: "ADA",
      feeCeiling: draft.feeUnits.toString(),
      ...(payments.length === 0
        ? { kind: "consolidation" }
        : {
            kind: "payout",
            payouts: payments.map(({ amount, destination }, at) => ({
              payoutId: String(at),
              chain: "ADA",
              address: destination.address,
              tag: destination.tag,
              currency: amount.currency,
              asset: { kind: "coin" },
              units: amount.units.toString(),
              approval: "",
            })),
          }),
    },
    keys,
  );
  return signer.sign(draft.body, keys);
}
