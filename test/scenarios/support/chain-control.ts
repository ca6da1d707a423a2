import { createJsonRpc, type JsonRpc } from "../../../src/chains/rpc/json-rpc.ts";
import { openFaucet } from "../../../src/main/families/sandbox-families.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import type { DrivenNode } from "../../../src/sandbox/drive-utxo-node.ts";
import type { Faucet } from "../../../src/sandbox/faucet.ts";
import type { SandboxChain } from "../../../src/sandbox/sandbox-file.ts";
import type { TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { queryAlgod } from "../../support/query-algod.ts";
import { cardanoBlockIn } from "../../support/query-cardano.ts";
import { queryMonero } from "../../support/query-monero.ts";
import { queryStellar } from "../../support/query-stellar.ts";
import { queryTon } from "../../support/query-ton.ts";
import { queryTron } from "../../support/query-tron.ts";
import { queryXrpl } from "../../support/query-xrpl.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
export const signal = new AbortController().signal;

/** A payer and a miner of one chain. */
export type ChainControl = Faucet & {
  readonly chain: string;
  readonly site: SandboxChain;
  readonly rpc: JsonRpc;
  /** The node of a chain of the Bitcoin family, with its faucet's wallet. */
  readonly node: DrivenNode;
  /** Mines, and waits until the service has read it. */
  readonly mine: (count: number) => ReturnType<Faucet["mine"]>;
  /** Waits until the service has read the chain to the node's current tip. */
  readonly caughtUp: () => Promise<void>;
  /** The service's database, for what no node of a chain knows. */
  readonly sql: TestDatabase["sql"];
};

export function openChainControl(
  chain: string,
  site: SandboxChain,
  sql: TestDatabase["sql"],
): ChainControl {
  const faucet = openFaucet(chain, site, world);
  const open = (path: string): JsonRpc =>
    createJsonRpc({
      nodes: [{ url: new URL(path, site.rpc_url).href }],
      chain,
      timeoutMs: 60_000,
      ...world,
    });
  const rpc = open("/");
  const wallet = site.family === "utxo" ? open(`/wallet/${site.faucet_wallet}`) : null;
  /** Undefined above the node's tip. Nodes of Cardano find no block by its height: theirs is the one in the slot of `held`. */
  const hashAt = async (height: number, held: string): Promise<string | undefined> => {
    if (site.family === "utxo")
      return rpc.call<string>("getblockhash", [height], signal).catch(() => undefined);
    if (site.family === "tron")
      return (await queryTron<{ blockID?: string }>(site, "getblockbynum", { num: height }))
        .blockID;
    if (site.family === "xrpl")
      return queryXrpl<{ ledger_hash?: string }>(site, "ledger", { ledger_index: height }).then(
        ({ ledger_hash }) => ledger_hash,
      );
    if (site.family === "stellar")
      return queryStellar<{ ledgers?: readonly { readonly hash: string }[] }>(site, "getLedgers", {
        startLedger: height,
        pagination: { limit: 1 },
      }).then((answer) => answer?.ledgers?.[0]?.hash);
    if (site.family === "algorand")
      return (await queryAlgod<{ blockHash: string }>(site, `/v2/blocks/${height}/hash`))
        ?.blockHash;
    if (site.family === "ton") {
      const masterchain = { workchain: -1, shard: "-9223372036854775808" };
      const header = await queryTon<{ readonly id: { readonly root_hash: string } }>(
        site,
        "getBlockHeader",
        { ...masterchain, seqno: height },
      );
      if (header === null) return undefined;
      return `${Buffer.from(header.id.root_hash, "base64").toString("hex")}:${height}`;
    }
    if (site.family === "cardano") return await cardanoBlockIn(site, held);
    if (site.family === "monero")
      return queryMonero<{ readonly block_header: { readonly hash: string } }>(
        site.rpc_url,
        "get_block_header_by_height",
        { height },
      ).then(
        ({ block_header }) => block_header.hash,
        () => undefined,
      );
    const at = `0x${height.toString(16)}`;
    const found = rpc.call<{ hash: string } | null>("eth_getBlockByNumber", [at, false], signal);
    return (await found)?.hash;
  };
  // Not necessarily the newest block: where blocks arrive automatically, the service may be one behind at any time.
  const caughtUp = async (): Promise<void> => {
    const { height } = await faucet.tip();
    await eventually(
      async () => {
        const [row] = await sql<{ hash: string; height: string }>(
          "select hash, height from chain_cursor where chain = $1",
          [chain],
        );
        const reached = Number(row?.height ?? -1);
        return {
          reached,
          wanted: height,
          isThere: reached >= height && row?.hash === (await hashAt(reached, row?.hash ?? "")),
        };
      },
      ({ isThere }) => isThere,
      120,
    );
  };
  return {
    ...faucet,
    chain,
    site,
    rpc,
    node: {
      command: (method, params = []) => rpc.callOnce(method, params, signal),
      faucet: (method, params = []) =>
        present(wallet, "a faucet's wallet").callOnce(method, params, signal),
    },
    mine: async (count) => {
      const tip = await faucet.mine(count);
      await caughtUp();
      return tip;
    },
    caughtUp,
    sql,
    close: async () => {
      await Promise.all([faucet.close(), rpc.close(), wallet?.close()]);
    },
  };
}
