import { readFileSync } from "node:fs";
import type { NodeAddress } from "../../chains/rpc/http-node.ts";
import type { HttpNodesOptions } from "../../chains/rpc/http-nodes.ts";
import type { NodeConfig } from "../config/config.ts";
import type { ChainContext } from "./connection.ts";

const timeoutMs = 15_000;

/**
 * How a chain's configured nodes are reached, or other servers of it; a family adds the proof of their network. Reads the header
 * files; throws when one cannot be read or holds no header's value.
 */
export function nodeOptions(
  { clock, config, logger, random }: ChainContext,
  chain: string,
  nodes: readonly NodeConfig[] = config.nodes,
): Omit<HttpNodesOptions, "verify"> {
  return { nodes: nodeAddresses(nodes), chain, clock, logger, random, timeoutMs };
}

function nodeAddresses(nodes: readonly NodeConfig[]): readonly NodeAddress[] {
  return nodes.map(({ url, headers, header_files }) => {
    const read = Object.entries(header_files).map(
      ([name, file]) => [name, headerIn(file)] as const,
    );
    return { url, headers: { ...headers, ...Object.fromEntries<string>(read) } };
  });
}

function headerIn(file: string): string {
  const value = readFileSync(file, "utf8").trim();
  if (!/^[ -~]+$/.test(value)) throw new Error(`${file} does not hold one line of printable ASCII`);
  return value;
}
