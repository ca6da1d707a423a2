import type { ChainAdapter, ChainNodes } from "../../src/chains/chain-adapter.ts";
import type {
  Addressing,
  ChainReader,
  DerivedAddressing,
  Destination,
  SharedAddressing,
} from "../../src/chains/port.ts";
import { depositTagAt, depositTagIndex, ownFundsTag } from "../../src/currencies/deposit-tag.ts";
import { readTag } from "../../src/currencies/read-tag.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { Clock } from "../../src/platform/kernel/clock.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { createSimulatedLedger, digest, type SimulatedLedger } from "./simulated-ledger.ts";
import { createSimulatedReader, type NodeFaults } from "./simulated-reader.ts";

/*
 * A SIMULATED blockchain and node: blocks, mempool, reorgs and node faults in memory, behind the port of the real chains. Nothing
 * here was recorded from a real node; real ones run the same conformance suite.
 */

export type SimulatedChain<Addresses extends Addressing = DerivedAddressing> = SimulatedLedger & {
  readonly adapter: ChainAdapter<Addresses>;
  readonly faults: NodeFaults;
  /** Broadcasts a payment of the chain's first currency. Returns the transaction id. */
  readonly pay: (to: Destination, units: bigint) => string;
  /** A transaction that double-spends the pending one to another receiver; the pending one leaves the mempool. */
  readonly replace: (txid: string) => string;
  /** How often each question was asked. */
  readonly callCounts: ReadonlyMap<string, number>;
};

export type SimulatedChainOptions = {
  readonly chain: string;
  readonly currencies: readonly CurrencyId[];
  readonly clock: Clock;
  readonly keyspace?: string;
  /** Another name gives another block 0. Default: the chain's name. */
  readonly network?: string;
  /** Default: probable, reorgs up to 100 blocks. */
  readonly finality?: ChainReader["finality"];
  /** Default coins: with change addresses; `account`: with a hot and a gas account. */
  readonly funding?: "coins" | "account";
  /** Default true: the node shows its mempool. */
  readonly showsPending?: boolean;
};

/** A chain whose deposits have an address each; it starts with block 0 mined. */
export function createSimulatedChain(options: SimulatedChainOptions): SimulatedChain {
  return simulate(options, simulatedAddressing(options.chain, options.funding ?? "coins"));
}

/** A chain of accounts whose deposits share the hot account; it starts with block 0 mined. */
export function createSharedChain(
  options: Omit<SimulatedChainOptions, "funding">,
): SimulatedChain<SharedAddressing> {
  return simulate(options, sharedAddressing(options.chain), true);
}

function simulate<Addresses extends DerivedAddressing | SharedAddressing>(
  options: SimulatedChainOptions,
  addressing: Addresses,
  hasAccounts = false,
): SimulatedChain<Addresses> {
  const { chain, clock, currencies } = options;
  const faults: NodeFaults = { outage: false, lag: 0, wrongNetwork: false, beforeAnswer: null };
  const callCounts = new Map<string, number>();
  let change = new AbortController();
  const ledger = createSimulatedLedger(
    options.network ?? chain,
    clock,
    () => {
      change.abort();
      change = new AbortController();
    },
    hasAccounts,
  );
  const node = createSimulatedReader({
    chain,
    clock,
    currencies,
    addressing,
    ledger,
    faults,
    callCounts,
    finality: options.finality ?? { kind: "probable", reorgLimit: 100 },
    showsPending: options.showsPending ?? true,
    nextChange: (signal) => AbortSignal.any([signal, change.signal]),
  });
  const reader = hasAccounts ? { ...node, unspentOutputs: null } : node;
  return {
    ...ledger,
    adapter: {
      chain,
      currencies,
      addressing,
      reader,
      nodes: oneNode(reader),
      writer: null,
      sweeper: null,
      keyspace: options.keyspace ?? chain.toLowerCase(),
    },
    faults,
    callCounts,
    pay: (to, units) => ledger.submit([{ to, units }]),
    replace: (txid) => {
      const waiting = ledger.waiting().find((transaction) => transaction.txid === txid);
      if (waiting === undefined) throw new Error(`${txid} does not wait`);
      const elsewhere = addressing.depositAt(99_999_999, null);
      return ledger.submit([{ to: elsewhere, units: 1n }], {
        from: waiting.from,
        spends: waiting.spends,
      });
    },
  };
}

/** A chain with this one node. */
function oneNode(reader: ChainReader): ChainNodes {
  const readers = [{ node: "simulated", reader, status: null, isMissingUpTo: null }];
  return { readers, available: () => readers, setAside: () => undefined, prefer: () => undefined };
}

/** The chain with another node. */
export function readingBy<Addresses extends Addressing>(
  adapter: ChainAdapter<Addresses>,
  reader: ChainReader,
): ChainAdapter<Addresses> {
  return { ...adapter, reader, nodes: oneNode(reader) };
}

/** Where change addresses and our two own accounts begin: far from every deposit's index. */
const simulatedChangeFrom = 500_000_000;
const simulatedHot = 400_000_000;
const simulatedGas = 400_000_001;

/** `<chain>-<index>-<checksum>`; the watch key is the address. */
function simulatedAddressing(chain: string, funding: "coins" | "account"): DerivedAddressing {
  const spell = (index: number): string =>
    `${chain.toLowerCase()}-${index}-${digest(`${chain} ${index}`).slice(0, 8)}`;
  const destination = (index: number): Destination => ({
    address: spell(index),
    addressType: null,
    tag: null,
  });
  return {
    types: [{ name: null, masks: [`^${chain.toLowerCase()}-\\d+-[0-9a-f]{8}$`], isDefault: true }],
    source: "derived",
    depositAt: destination,
    rederiveDepositAt: destination,
    watchKey: ({ address }) => address,
    parse: (address, tag) => {
      const index = Number(/^[a-z0-9]+-(\d{1,10})-[0-9a-f]{8}$/.exec(address)?.[1] ?? -1);
      return tag === null && spell(index) === address ? destination(index) : null;
    },
    changeAt: funding === "coins" ? (index) => destination(simulatedChangeFrom + index) : null,
    treasury:
      funding === "account"
        ? { hot: destination(simulatedHot), gas: destination(simulatedGas) }
        : null,
  };
}

/**
 * The hot account with destination tags. As on the XRP Ledger, account and tag may be written in one address, here
 * `<account>?<tag>`; the canonical form is the account with the tag beside it.
 */
function sharedAddressing(chain: string): SharedAddressing {
  const plain = simulatedAddressing(chain, "account");
  const { hot } = present(plain.treasury, "its own accounts");
  return {
    source: "shared",
    types: plain.types,
    changeAt: null,
    treasury: { hot, gas: null },
    depositAt: (index) => ({ ...hot, tag: depositTagAt(index) }),
    depositIndexOf: depositTagIndex,
    ownFunds: { ...hot, tag: ownFundsTag },
    receivedUnder: (watchKey) => {
      const [account = "", ...tag] = watchKey.split("?");
      if (account !== hot.address) return null;
      return { tag: tag.length === 0 ? null : tag.join("?") };
    },
    watchKey: ({ address, tag }) => (tag === null ? address : `${address}?${tag}`),
    parse: (text, given) => {
      const [address = "", contained = null, ...more] = text.split("?");
      const tags = [contained, given].filter((tag) => tag !== null);
      const read = tags.map((tag) => readTag("destination-tag", { tag, type: null }, chain));
      const isRead = more.length === 0 && read.every(({ faults }) => faults.length === 0);
      const [first = null, second = first] = read.map(({ tag }) => tag);
      const account = plain.parse(address, null);
      return account === null || !isRead || first !== second ? null : { ...account, tag: first };
    },
  };
}
