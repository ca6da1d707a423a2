import { beginCell, Cell, Dictionary } from "@ton/core";

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

/** The configuration of the main network, whose prices and limits apply, with the number of this network. */
export function networkConfig(mainnet: string): string {
  const parameters = readConfig(mainnet);
  parameters.set(globalIdParameter, beginCell().storeInt(globalId, 32).endCell());
  return beginCell().storeDictDirect(parameters).endCell().toBoc().toString("base64");
}

export function readConfig(config: string): Dictionary<number, Cell> {
  return Dictionary.loadDirect(
    Dictionary.Keys.Int(32),
    Dictionary.Values.Cell(),
    Cell.fromBase64(config).beginParse(),
  );
}
