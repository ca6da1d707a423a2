import { type Cell, Dictionary, type Slice } from "@ton/core";
import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import { Malformed } from "../rpc/answer.ts";
import { configParameter } from "./questions.ts";
import type { AskToncenter } from "./toncenter-node.ts";

/**
 * What the network asks of contracts and messages in the basic workchain, from its configuration, which the validators change by vote. Nanotons
 * times 65,536, except `gasFlat`, `gasFlatUnits` and `message`.
 */
export type NetworkPrices = {
  /** The first units of gas of a transaction cost `gasFlat` nanotons together. */
  readonly gasFlatUnits: bigint;
  readonly gasFlat: bigint;
  /** A unit of gas after those. */
  readonly gas: bigint;
  /** A message, in nanotons; besides, the cells and bits below its first cell. */
  readonly message: bigint;
  readonly cell: bigint;
  readonly bit: bigint;
  /** Rent of a cell and of a bit for a second. */
  readonly storedCell: bigint;
  readonly storedBit: bigint;
};

/** Parameters of the configuration, by number. */
const parameters = { storage: 18, gas: 21, messages: 25 };

/** Constructors in `block.tlb`. */
const storagePrices = 0xcc;
const gasFlat = 0xd1;
const gasPlain = 0xdd;
const gasExtended = 0xde;
const messagePrices = 0xea;

/** Asks a node for the network's current prices. */
export async function readNetworkPrices(ask: AskToncenter): Promise<NetworkPrices> {
  const [storage, gas, messages] = await Promise.all([
    ask(configParameter(parameters.storage, readStorage)),
    ask(configParameter(parameters.gas, readGas)),
    ask(configParameter(parameters.messages, readMessages)),
  ]);
  return { ...storage, ...gas, ...messages };
}

/** The newest prices: each has the time from which it applies, and is found by that. */
function readStorage(parameter: Cell): Pick<NetworkPrices, "storedBit" | "storedCell"> {
  const all = Dictionary.loadDirect(
    Dictionary.Keys.Uint(32),
    {
      serialize: () => undefined,
      parse: (slice: Slice) => {
        expectTag(slice, [storagePrices]);
        slice.skip(32);
        return { storedBit: slice.loadUintBig(64), storedCell: slice.loadUintBig(64) };
      },
    },
    parameter.beginParse(),
  ).values();
  const newest = all.at(-1);
  if (newest === undefined) throw new Malformed("no prices of storage");
  return newest;
}

function readGas(parameter: Cell): Pick<NetworkPrices, "gas" | "gasFlat" | "gasFlatUnits"> {
  const slice = parameter.beginParse();
  let flat = { gasFlatUnits: 0n, gasFlat: 0n };
  let tag = expectTag(slice, [gasFlat, gasPlain, gasExtended]);
  if (tag === gasFlat) {
    flat = { gasFlatUnits: slice.loadUintBig(64), gasFlat: slice.loadUintBig(64) };
    tag = expectTag(slice, [gasPlain, gasExtended]);
  }
  return { ...flat, gas: slice.loadUintBig(64) };
}

function readMessages(parameter: Cell): Pick<NetworkPrices, "message" | "bit" | "cell"> {
  const slice = parameter.beginParse();
  expectTag(slice, [messagePrices]);
  return {
    message: slice.loadUintBig(64),
    bit: slice.loadUintBig(64),
    cell: slice.loadUintBig(64),
  };
}

function expectTag(slice: Slice, known: readonly number[]): number {
  const tag = slice.loadUint(8);
  if (!known.includes(tag)) throw new Malformed(`the constructor ${tag} in the configuration`);
  return tag;
}

/** Gas, messages, and the cells and bits below their first cells. */
export type Work = {
  /** Units of each transaction. */
  readonly gas: readonly bigint[];
  readonly messages: bigint;
  readonly cells: bigint;
  readonly bits: bigint;
};

/** What that much work costs, in nanotons. */
export function costOfWork(prices: NetworkPrices, work: Work): bigint {
  const gas = work.gas.reduce((sum, units) => sum + costOfGas(prices, units), 0n);
  const below = upTo65536th(work.cells * prices.cell + work.bits * prices.bit);
  return gas + work.messages * prices.message + below;
}

function costOfGas({ gas, gasFlat: flat, gasFlatUnits }: NetworkPrices, units: bigint): bigint {
  return flat + upTo65536th(maxBigInt(units - gasFlatUnits, 0n) * gas);
}

function upTo65536th(units: bigint): bigint {
  return (units + 0xffffn) >> 16n;
}
