import type { ChainNodes } from "../chain-adapter.ts";
import type { ChainWriter } from "../paying-port.ts";
import type { ChainReader } from "../port.ts";
import type { JsonRpc } from "./json-rpc.ts";

/** One reader per node, each asking only that node. */
export function createChainNodes(
  rpc: JsonRpc,
  createReader: (rpc: JsonRpc) => ChainReader,
  createWriter: (rpc: JsonRpc) => ChainWriter | null,
): ChainNodes {
  const readers = rpc.nodes.map((node) => {
    const only = rpc.only(node);
    return { node, reader: createReader(only), status: createWriter(only)?.status ?? null };
  });
  return {
    readers,
    available: () => rpc.available().flatMap((name) => readers.filter(({ node }) => node === name)),
    setAside: rpc.setAside,
  };
}
