import { beginCell, Cell, Dictionary } from "@ton/core";
import { present } from "../../platform/kernel/assert.ts";

/** The number in block headers and in the configuration (parameter 19): that of developers' private networks. */
export const globalId = -217;

/** A shard contains the accounts of a workchain whose addresses begin with the same bits. */
export type Shard = { readonly workchain: number; readonly shard: bigint };

export const masterchain: Shard = { workchain: -1, shard: -(1n << 63n) };

/** The basechain has two shards: addresses that begin with 0, and those that begin with 1. */
export const shards: readonly Shard[] = [
  { workchain: 0, shard: 1n << 62n },
  { workchain: 0, shard: -(1n << 62n) },
];

/** The shard of an account; `0:` and 64 hexadecimal digits name it. */
export function shardOf(account: string): Shard {
  if (account.startsWith("-1:")) return masterchain;
  return shards[Number.parseInt(account.charAt(2), 16) < 8 ? 0 : 1] as Shard;
}

const globalIdParameter = 19;
/** Of the masterchain and of the basechain. */
const gasParameters = [20, 21];
const forwardingParameters = [24, 25];

/** The prices of gas and of forwarding messages, in percent of the main network's. */
export type Prices = { readonly gas: number; readonly forwarding: number };

export const mainPrices: Prices = { gas: 100, forwarding: 100 };

/** The configuration of the main network, whose limits apply, with the number of this network and these prices. */
export function networkConfig(mainnet: string, { forwarding, gas }: Prices): string {
  const parameters = readConfig(mainnet);
  parameters.set(globalIdParameter, beginCell().storeInt(globalId, 32).endCell());
  for (const id of gasParameters)
    parameters.set(id, withGasPrice(present(parameters.get(id), `parameter ${id}`), gas));
  for (const id of forwardingParameters)
    parameters.set(id, withForwarding(present(parameters.get(id), `parameter ${id}`), forwarding));
  return beginCell().storeDictDirect(parameters).endCell().toBoc().toString("base64");
}

/** `gas_flat_pfx`: limit and price of the first gas, then `gas_prices_ext`, which begins with the price of the rest. */
function withGasPrice(parameter: Cell, percent: number): Cell {
  const slice = parameter.beginParse();
  return beginCell()
    .storeUint(slice.loadUint(8), 8)
    .storeUint(slice.loadUintBig(64), 64)
    .storeUint(inPercent(slice.loadUintBig(64), percent), 64)
    .storeUint(slice.loadUint(8), 8)
    .storeUint(inPercent(slice.loadUintBig(64), percent), 64)
    .storeSlice(slice)
    .endCell();
}

/** `msg_forward_prices`: of a message, of its bits, of its cells, and shares that stay as they are. */
function withForwarding(parameter: Cell, percent: number): Cell {
  const slice = parameter.beginParse();
  const builder = beginCell().storeUint(slice.loadUint(8), 8);
  for (let price = 0; price < 3; price += 1)
    builder.storeUint(inPercent(slice.loadUintBig(64), percent), 64);
  return builder.storeSlice(slice).endCell();
}

function inPercent(price: bigint, percent: number): bigint {
  return (price * BigInt(percent)) / 100n;
}

export function readConfig(config: string): Dictionary<number, Cell> {
  return Dictionary.loadDirect(
    Dictionary.Keys.Int(32),
    Dictionary.Values.Cell(),
    Cell.fromBase64(config).beginParse(),
  );
}
