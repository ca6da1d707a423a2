import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../../platform/processes/write-atomically.ts";
import { serveLedger } from "../utxo-ledger/serve-ledger.ts";
import { startUtxoNode, type UtxoNode, type UtxoNodeOptions } from "../utxo-node.ts";
import { createDialectControl } from "./control.ts";
import type { Dialect } from "./dialect.ts";

export type DialectOptions = UtxoNodeOptions & {
  readonly dialect: Dialect;
};

/** A private node of Bitcoin that speaks like another chain's. */
export type DialectNode = {
  /** The node behind, which tests and the sandbox may drive directly. */
  readonly node: UtxoNode;
  /** Includes the credentials; the same after every restart in the folder while the port is free. */
  readonly rpcUrl: string;
  /** Base address of the control endpoint. */
  readonly sandboxUrl: string;
  readonly faucetWallet: string;
  /** Resolves when the node behind has ended. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Starts the node of the folder, see `startUtxoNode`, and serves it in that dialect on the loopback interface. */
export async function startDialect(options: DialectOptions): Promise<DialectNode> {
  const { dialect, folder, logger } = options;
  const node = await startUtxoNode(options);
  try {
    const { password, username } = new URL(node.rpcUrl);
    const credentials = `${username}:${password}`;
    const parts = await dialect(node, { folder });
    const served = {
      credentials,
      walletName: node.faucetWallet,
      logger,
      control: createDialectControl(node, parts),
      methods: parts.methods,
      walletMethods: parts.walletMethods,
    };
    const file = join(folder, "dialect.json");
    const wanted = await lastPort(file);
    const server = await serveLedger(wanted, served).catch(() => serveLedger(0, served));
    await writeAtomically(file, JSON.stringify({ port: server.port }));
    void node.ended.then(server.close);
    return {
      node,
      rpcUrl: `http://${credentials}@127.0.0.1:${server.port}`,
      sandboxUrl: `http://127.0.0.1:${server.port}/sandbox`,
      faucetWallet: node.faucetWallet,
      ended: node.ended,
      stop: async () => {
        await server.close();
        await node.stop();
      },
    };
  } catch (error) {
    await node.stop();
    throw error;
  }
}

/** The port of the last start; 0 takes a free one. */
async function lastPort(file: string): Promise<number> {
  try {
    return (JSON.parse(await readFile(file, "utf8")) as { readonly port: number }).port;
  } catch {
    return 0;
  }
}
