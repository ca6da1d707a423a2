import type { ChainNodes, NodeReader } from "../chain-adapter.ts";
import type { ChainWriter } from "../paying-port.ts";
import type { ChainReader } from "../port.ts";
import type { NodeClient } from "./failover.ts";

/** One reader per node, each asking only that node; `createWithHistory` where the chain has a history, see `NodeReader`. */
export function createChainNodes<
  Client extends NodeClient & { readonly only: (node: string) => Client },
>(
  client: Client,
  createReader: (client: Client) => ChainReader,
  createWriter: (client: Client) => ChainWriter | null,
  createWithHistory: ((client: Client) => ChainReader) | null = null,
): ChainNodes {
  const readers = client.nodes.map((node): NodeReader => {
    const only = client.only(node);
    const writer = createWriter(only);
    return {
      node,
      reader: createReader(only),
      ...(createWithHistory === null ? {} : { withHistory: createWithHistory(only) }),
      status: writer?.status ?? null,
      isMissingUpTo: writer?.isMissingUpTo ?? null,
    };
  });
  const followed = readers.map((one) => ({ ...one, reader: one.withHistory ?? one.reader }));
  return {
    readers,
    available: () =>
      client.available().flatMap((name) => followed.filter(({ node }) => node === name)),
    setAside: client.setAside,
    prefer: client.prefer,
  };
}
