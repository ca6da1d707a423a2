import type { ChainNodes } from "../chain-adapter.ts";
import type { ChainWriter } from "../paying-port.ts";
import type { ChainReader } from "../port.ts";
import type { NodeClient } from "./failover.ts";

/** One reader per node, each asking only that node. */
export function createChainNodes<
  Client extends NodeClient & { readonly only: (node: string) => Client },
>(
  client: Client,
  createReader: (client: Client) => ChainReader,
  createWriter: (client: Client) => ChainWriter | null,
): ChainNodes {
  const readers = client.nodes.map((node) => {
    const only = client.only(node);
    const writer = createWriter(only);
    return {
      node,
      reader: createReader(only),
      status: writer?.status ?? null,
      isMissingUpTo: writer?.isMissingUpTo ?? null,
    };
  });
  return {
    readers,
    available: () =>
      client.available().flatMap((name) => readers.filter(({ node }) => node === name)),
    setAside: client.setAside,
  };
}
